package legacy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import legacy.Connection.Answer;
import legacy.user.User;

/**
 * usage: RewriteUsers BASE_URL ID:SECRET TO ID... Reads each user from the service, leaves in the folder what was understood, in a file
 * called as the id, and writes that back to the service. Prints the id of each user who was written back.
 */
public final class RewriteUsers {
    public static void main(String[] args) throws Exception {
        Connection service = new Connection(args[0], Connection.basic(args[1]), "application/xml");
        Documents users = new Documents(args[0] + "/schemas/user.xsd", "legacy.user");
        Path folder = Paths.get(args[2]);
        for (String id : Arrays.asList(args).subList(3, args.length)) {
            Answer read = service.send("GET", "/users/" + id, null).with(200);
            byte[] written = users.write(users.read(read.body, User.class));
            Files.write(folder.resolve(id), written);
            service.send("PUT", "/users/" + id, written, "If-Match", read.header("ETag")).with(200);
            System.out.println(id);
        }
    }

    private RewriteUsers() {}
}
