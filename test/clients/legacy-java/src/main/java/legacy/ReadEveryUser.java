package legacy;

import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import legacy.user.User;

/** usage: ReadEveryUser SCHEMA FROM TO. Reads each file of a folder as a user and writes what was understood to another. */
public final class ReadEveryUser {
    public static void main(String[] args) throws Exception {
        Documents users = new Documents(args[0], "legacy.user");
        int failed = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(Paths.get(args[1]), "*.xml")) {
            for (Path file : files) {
                byte[] document = Files.readAllBytes(file);
                try {
                    User user = users.read(document, User.class);
                    Files.write(Paths.get(args[2]).resolve(file.getFileName()), users.write(user));
                } catch (Exception fault) {
                    failed += 1;
                    System.err.println(fault + "\n" + new String(document, "UTF-8"));
                }
            }
        }
        System.exit(failed == 0 ? 0 : 1);
    }

    private ReadEveryUser() {}
}
