package legacy;

import legacy.Connection.Answer;
import legacy.baseline.User;

/**
 * usage: ChangeTitle USER_URL ID:SECRET TITLE [SCHEMA_URL]. Reads the user, sets the title and writes all of it back, with the classes of
 * contract 1.12. Validates what it reads and writes only with SCHEMA_URL.
 */
public final class ChangeTitle {
    public static void main(String[] args) throws Exception {
        Connection service = new Connection(args[0], Connection.basic(args[1]), "application/xml");
        Documents users = new Documents(args.length > 3 ? args[3] : null, "legacy.baseline");
        Answer read = service.send("GET", args[0], null).with(200);
        User user = users.read(read.body, User.class);
        user.setTitle(args[2]);
        service.send("PUT", args[0], users.write(user), "If-Match", read.header("ETag")).with(200);
    }

    private ChangeTitle() {}
}
