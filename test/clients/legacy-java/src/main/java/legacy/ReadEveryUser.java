package legacy;

import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import javax.xml.bind.MarshalException;
import legacy.user.User;
import org.xml.sax.SAXException;

/**
 * usage: ReadEveryUser SCHEMA FROM TO. Reads each file of a folder as a user and writes what was understood to another, or for
 * what isn't valid a line with the file's name and the reason.
 */
public final class ReadEveryUser {
    public static void main(String[] args) throws Exception {
        Documents users = new Documents(args[0], "legacy.user");
        try (DirectoryStream<Path> files = Files.newDirectoryStream(Paths.get(args[1]))) {
            for (Path file : files) {
                Path name = file.getFileName();
                try {
                    User user = users.read(Files.readAllBytes(file), User.class);
                    Files.write(Paths.get(args[2]).resolve(name), users.write(user));
                } catch (SAXException | MarshalException fault) {
                    System.out.println(name + " " + fault.toString().replaceAll("\\s+", " "));
                }
            }
        }
    }

    private ReadEveryUser() {}
}
