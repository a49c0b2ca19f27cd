package legacy;

import java.net.Authenticator;
import java.net.PasswordAuthentication;
import java.util.List;
import legacy.Connection.Answer;
import legacy.problem.Problem;
import legacy.problem.Violation;
import legacy.user.Attribute;
import legacy.user.Attributes;
import legacy.user.Email;
import legacy.user.Emails;
import legacy.user.Enterprise;
import legacy.user.Manager;
import legacy.user.Name;
import legacy.user.Photo;
import legacy.user.Photos;
import legacy.user.Roles;
import legacy.user.User;
import legacy.user.Users;

/**
 * usage: LegacyClient BASE_URL ID:SECRET [ACCEPT]. Without ACCEPT no request says what it accepts but for what the platform
 * says on its own: for a service whose default format is XML. Prints a line for each thing that went as it should.
 */
public final class LegacyClient {
    private final Connection service;
    private final Connection platform;
    private final Documents users;
    private final Documents problems;

    private LegacyClient(String base, String key, String accept) throws Exception {
        service = new Connection(base, Connection.basic(key), accept);
        platform = new Connection(base, Connection.basic(key), null);
        users = new Documents(base + "/schemas/user.xsd", "legacy.user");
        problems = new Documents(base + "/schemas/problem.xsd", "legacy.problem");
    }

    public static void main(String[] args) throws Exception {
        new LegacyClient(args[0], args[1], args.length > 2 ? args[2] : null).everything();
        challenged(args[0], args[1]);
    }

    private void everything() throws Exception {
        User ada = ada();
        Answer created = platform.send("POST", "/users", users.write(ada)).with(201);
        String url = created.header("Location");
        same("a user that was created", ada, user(created));
        String first = created.header("ETag");
        reads(url, first, ada);

        ada = user(service.send("GET", url, null));
        ada.setDisplayName("Countess of Lovelace");
        ada.setNickName(null);
        ada.getRoles().getRole().add("countess");
        ada.getEnterprise().getManager().setDisplayName("Mary Somerville");
        Answer changed = service.send("PUT", url, users.write(ada), "If-Match", first).with(200);
        same("a user that was changed", ada, user(changed));
        String second = changed.header("ETag");
        expect("a tag of its own", false, first.equals(second));
        expect("made when", ada.getMeta().getCreated(), user(changed).getMeta().getCreated());
        done("changed");

        stale(url, first, ada);
        wrong(url, second);
        list(ada);
        delete(url, first, second);
    }

    private void reads(String url, String tag, User wanted) throws Exception {
        Answer read = service.send("GET", url, null).with(200);
        same("a user that was read", wanted, user(read));
        expect("ETag", tag, read.header("ETag"));
        expect("bytes of a 304", 0, service.send("GET", url, null, "If-None-Match", tag).with(304).body.length);
        done("created and read");
    }

    /** Somebody else was first: the same is refused, and what they wrote stays. */
    private void stale(String url, String tag, User wanted) throws Exception {
        User late = ada();
        late.setDisplayName("Too late");
        problem(service.send("PUT", url, users.write(late), "If-Match", tag), 412, "precondition-failed");
        same("a user after a stale write", wanted, user(service.send("GET", url, null)));
        done("stale write refused");
    }

    /** Valid by the schema, and wrong by a rule that no schema can say. */
    private void wrong(String url, String tag) throws Exception {
        User wrong = ada();
        wrong.setUserName("ada lovelace");
        Problem told = problem(service.send("PUT", url, users.write(wrong), "If-Match", tag), 422, "invalid-user");
        List<Violation> errors = told.getErrors().getI();
        expect("errors", 1, errors.size());
        expect("pointer", "/userName", errors.get(0).getPointer());
        done("wrong write refused");
    }

    private void list(User ada) throws Exception {
        User grace = new User();
        grace.setUserName("grace");
        Answer created = service.send("POST", "/users", users.write(grace)).with(201);
        List<User> all = xml(service.send("GET", "/users", null).with(200), users, Users.class).getUser();
        expect("users", 2, all.size());
        same("the first of the list", ada, all.get(0));
        same("the second of the list", user(created), all.get(1));
        List<User> found = xml(
            service.send("GET", "/users?userName=GRACE", null).with(200), users, Users.class).getUser();
        expect("users called GRACE", 1, found.size());
        service.send("DELETE", created.header("Location"), null).with(204);
        done("listed");
    }

    private void delete(String url, String stale, String tag) throws Exception {
        problem(service.send("DELETE", url, null, "If-Match", stale), 412, "precondition-failed");
        expect("bytes of a 204", 0, service.send("DELETE", url, null, "If-Match", tag).with(204).body.length);
        problem(service.send("GET", url, null), 404, "user-not-found");
        expect("users left", 0, xml(service.send("GET", "/users", null), users, Users.class).getUser().size());
        done("deleted");
    }

    /** With a key that the platform itself sends when it is challenged. */
    private static void challenged(String base, String key) throws Exception {
        Connection anybody = new Connection(base, null, "application/xml");
        anybody.send("GET", "/users", null).with(401);
        String[] pair = key.split(":", 2);
        Authenticator.setDefault(new Authenticator() {
            @Override
            protected PasswordAuthentication getPasswordAuthentication() {
                return new PasswordAuthentication(pair[0], pair[1].toCharArray());
            }
        });
        anybody.send("GET", "/users", null).with(200);
        done("let in when challenged");
    }

    private static User ada() {
        User user = new User();
        user.setUserName("ada");
        user.setExternalId("007");
        user.setDisplayName("  Ada, \u4e16\u754c \ud834\udd1e\r\n\t& <co>");
        user.setNickName("Enchantress of Number");
        user.setActive(true);
        user.setName(new Name());
        user.getName().setFamilyName("Lovelace");
        user.setEmails(new Emails());
        Email email = new Email();
        email.setValue("ada@example.com");
        email.setPrimary(true);
        user.getEmails().getEmail().add(email);
        user.setRoles(new Roles());
        user.getRoles().getRole().add("engineer");
        user.setPhotos(new Photos());
        Photo photo = new Photo();
        photo.setValue("https://people.example.com/ada.png?size=large&v=2");
        photo.setDisplay("Ada, in colours");
        user.getPhotos().getPhoto().add(photo);
        user.setEnterprise(new Enterprise());
        user.getEnterprise().setEmployeeNumber("001815");
        user.getEnterprise().setManager(new Manager());
        user.getEnterprise().getManager().setValue("babbage");
        user.setAttributes(new Attributes());
        Attribute attribute = new Attribute();
        attribute.setName("costCenter");
        attribute.setValue("0042");
        user.getAttributes().getAttribute().add(attribute);
        return user;
    }

    private User user(Answer answer) throws Exception {
        return xml(answer, users, User.class);
    }

    private Problem problem(Answer answer, int status, String type) throws Exception {
        Problem problem = xml(answer.with(status), problems, Problem.class);
        expect("status of a problem", status, problem.getStatus());
        expect("type of a problem", true, problem.getType().endsWith("/problems/" + type));
        return problem;
    }

    private static <T> T xml(Answer answer, Documents documents, Class<T> type) throws Exception {
        String wanted = type == Problem.class ? "application/problem+xml" : "application/xml";
        expect("Content-Type", wanted, answer.header("Content-Type").split(";")[0]);
        return documents.read(answer.body, type);
    }

    /** Compares what a client may set: id and meta are the service's. */
    private void same(String what, User wanted, User got) throws Exception {
        expect(what, plain(wanted), plain(got));
    }

    private String plain(User user) throws Exception {
        User copy = users.read(users.write(user), User.class);
        copy.setId(null);
        copy.setMeta(null);
        return new String(users.write(copy), "UTF-8");
    }

    private static void expect(String what, Object wanted, Object got) {
        if (!wanted.equals(got)) throw new IllegalStateException(what + ": " + got + " instead of " + wanted);
    }

    private static void done(String what) {
        System.out.println(what);
    }
}
