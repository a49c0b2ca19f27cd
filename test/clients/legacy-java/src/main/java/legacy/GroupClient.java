package legacy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import legacy.Connection.Answer;
import legacy.group.Group;
import legacy.group.Groups;
import legacy.members.Add;
import legacy.members.Members;
import legacy.members.Remove;
import legacy.problem.Problem;
import legacy.user.User;
import legacy.user.Users;

/** usage: GroupClient BASE_URL ID:SECRET. Prints a line for each thing that went as it should. */
public final class GroupClient {
    private static final int MOST_IDS = 10_000;

    private final Connection service;
    private final Documents groups;
    private final Documents members;
    private final Documents users;
    private final Documents problems;

    private GroupClient(String base, String key) throws Exception {
        service = new Connection(base, Connection.basic(key), "application/xml");
        groups = new Documents(base + "/schemas/group.xsd", "legacy.group");
        members = new Documents(base + "/schemas/members.xsd", "legacy.members");
        users = new Documents(base + "/schemas/user.xsd", "legacy.user");
        problems = new Documents(base + "/schemas/problem.xsd", "legacy.problem");
    }

    public static void main(String[] args) throws Exception {
        new GroupClient(args[0], args[1]).everything();
    }

    private void everything() throws Exception {
        String name = "B\u00fcro \u4e16\u754c \ud834\udd1e & <co>";
        Group group = new Group();
        group.setDisplayName(name);
        group.setDescription("two\nlines");
        Answer created = service.send("POST", "/groups", groups.write(group)).with(201);
        String url = created.header("Location");
        group = group(service.send("GET", url, null).with(200));
        expect("name", name, group.getDisplayName());
        expect("description", "two\nlines", group.getDescription());
        expect("members of a new group", 0, group.getMemberCount());
        done("created and read");

        group.setExternalId("org-7");
        group.setDescription(null);
        String tag = created.header("ETag");
        group = group(service.send("PUT", url, groups.write(group), "If-Match", tag).with(200));
        expect("externalId", "org-7", group.getExternalId());
        expect("description", null, group.getDescription());
        expect("a stale write", 412, service.send("PUT", url, groups.write(group), "If-Match", tag).status);
        done("changed");

        changeMembers(url, group.getId());
        list(group.getId());
        service.send("DELETE", url, null).with(204);
        service.send("GET", url, null).with(404);
        done("deleted");
    }

    private void changeMembers(String url, String id) throws Exception {
        List<String> ids = new ArrayList<>();
        for (String name : Arrays.asList("ada", "grace")) ids.add(createUser(name));
        Members change = new Members();
        change.setAdd(new Add());
        // Each id as often as a change of members may have it.
        while (change.getAdd().getId().size() < MOST_IDS) change.getAdd().getId().addAll(ids);
        service.send("POST", url + "/members", members.write(change)).with(204);
        List<User> found = users.read(
            service.send("GET", "/users?group=" + id, null).with(200).body, Users.class).getUser();
        expect("members", 2, found.size());

        Members removal = new Members();
        removal.setRemove(new Remove());
        removal.getRemove().getId().add(ids.get(0));
        service.send("POST", url + "/members", members.write(removal)).with(204);
        service.send("GET", url + "/members/" + ids.get(0), null).with(404);
        service.send("GET", url + "/members/" + ids.get(1), null).with(204);

        Members wrong = new Members();
        wrong.setAdd(new Add());
        wrong.getAdd().getId().add(id);
        Answer refused = service.send("POST", url + "/members", members.write(wrong)).with(422);
        Problem problem = problems.read(refused.body, Problem.class);
        expect("pointer", "/add/0", problem.getErrors().getI().get(0).getPointer());
        done("members changed");
    }

    private String createUser(String name) throws Exception {
        User user = new User();
        user.setUserName(name);
        return users.read(service.send("POST", "/users", users.write(user)).with(201).body, User.class).getId();
    }

    private void list(String id) throws Exception {
        Group second = new Group();
        second.setDisplayName("Another");
        service.send("POST", "/groups", groups.write(second)).with(201);
        Groups all = groups.read(
            service.send("GET", "/groups?sort=displayName&total=true", null).with(200).body, Groups.class);
        expect("groups", 2, all.getGroup().size());
        expect("the first of the list", "Another", all.getGroup().get(0).getDisplayName());
        expect("the second of the list", id, all.getGroup().get(1).getId());
        expect("members in the list", 1, all.getGroup().get(1).getMemberCount());
        done("listed");
    }

    private Group group(Answer answer) throws Exception {
        return groups.read(answer.body, Group.class);
    }

    private static void expect(String what, Object wanted, Object got) {
        if (wanted == null ? got != null : !wanted.toString().equals(String.valueOf(got)))
            throw new IllegalStateException(what + ": " + got + " instead of " + wanted);
    }

    private static void done(String what) {
        System.out.println(what);
    }
}
