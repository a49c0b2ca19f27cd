package scim;

import com.unboundid.scim2.client.ScimService;
import com.unboundid.scim2.common.bulk.BulkOperation;
import com.unboundid.scim2.common.bulk.BulkOperationResult;
import com.unboundid.scim2.common.exceptions.PreconditionFailedException;
import com.unboundid.scim2.common.exceptions.ResourceConflictException;
import com.unboundid.scim2.common.exceptions.ResourceNotFoundException;
import com.unboundid.scim2.common.filters.Filter;
import com.unboundid.scim2.common.messages.ListResponse;
import com.unboundid.scim2.common.messages.PatchOperation;
import com.unboundid.scim2.common.messages.PatchRequest;
import com.unboundid.scim2.common.types.GroupResource;
import com.unboundid.scim2.common.types.Member;
import com.unboundid.scim2.common.types.UserResource;
import com.unboundid.scim2.common.utils.JsonUtils;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.client.ClientRequestFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.glassfish.jersey.apache5.connector.Apache5ConnectorProvider;
import org.glassfish.jersey.client.ClientConfig;

/** usage: Groups BASE_URL TOKEN. Prints a line for each thing that went as it should. */
public final class Groups {
    private final ScimService service;

    private Groups(ScimService service) {
        this.service = service;
    }

    public static void main(String[] args) throws Exception {
        ClientConfig config = new ClientConfig().connectorProvider(new Apache5ConnectorProvider());
        ClientRequestFilter authorize =
            (request) -> request.getHeaders().putSingle("Authorization", "Bearer " + args[1]);
        try (Client client = ClientBuilder.newClient(config)) {
            new Groups(new ScimService(client.register(authorize).target(args[0]))).everything();
        }
    }

    private void everything() throws Exception {
        String ada = createUser("ada");
        String grace = createUser("grace");
        GroupResource group = new GroupResource().setDisplayName("Engineering").setMembers(member(ada));
        group = service.create("Groups", group);
        expect("members of a new group", setOf(ada), membersOf(group));
        expect("the group as it is read", group, service.retrieve(group));
        taken();
        done("created and read");

        GroupResource stale = service.retrieve(group);
        group.setDisplayName("Engines").setMembers(member(ada), member(grace));
        group = service.replaceRequest(group).ifMatch().invoke();
        expect("name after PUT", "Engines", group.getDisplayName());
        expect("members after PUT", setOf(ada, grace), membersOf(group));
        refusesStale(stale);
        done("replaced");

        patch(group, ada, grace);
        search(group, ada, grace);
        bulk(ada);

        service.deleteRequest(group).invoke();
        try {
            service.retrieve("Groups", group.getId(), GroupResource.class);
            throw new IllegalStateException("a group was read after it was deleted");
        } catch (ResourceNotFoundException expected) {
            done("deleted");
        }
    }

    private String createUser(String name) throws Exception {
        UserResource user = new UserResource().setUserName(name).setDisplayName(name);
        return service.create("Users", user).getId();
    }

    private void taken() throws Exception {
        try {
            service.create("Groups", new GroupResource().setDisplayName("ENGINEERING"));
            throw new IllegalStateException("a name was taken twice");
        } catch (ResourceConflictException refused) {
            expect("scimType", "uniqueness", refused.getScimError().getScimType());
        }
    }

    private void refusesStale(GroupResource stale) throws Exception {
        try {
            service.replaceRequest(stale).ifMatch().invoke();
            throw new IllegalStateException("a stale group was written");
        } catch (PreconditionFailedException expected) {
            // As it should.
        }
    }

    private void patch(GroupResource group, String ada, String grace) throws Exception {
        PatchOperation remove = PatchOperation.remove("members[value eq \"" + ada + "\"]");
        service.modifyRequest(group).addOperation(remove).invoke();
        expect("members after a removal", setOf(grace), membersOf(service.retrieve(group)));

        List<Member> added = List.of(member(ada), member(grace));
        PatchRequest request = new PatchRequest(
            PatchOperation.add("members", JsonUtils.valueToNode(added)),
            PatchOperation.replace("displayName", "Patched"));
        GroupResource patched = service.modifyRequest("Groups", group.getId()).addOperation(request.getOperations().get(0))
            .addOperation(request.getOperations().get(1)).attributes("displayName", "members").invoke(GroupResource.class);
        expect("members after an addition", setOf(ada, grace), membersOf(patched));
        expect("name after PATCH", "Patched", patched.getDisplayName());
        done("patched");
    }

    private void search(GroupResource group, String ada, String grace) throws Exception {
        Filter byMember = Filter.eq("members.value", ada);
        ListResponse<GroupResource> listed =
            service.searchRequest("Groups").filter(byMember).attributes("members").invoke(GroupResource.class);
        expect("groups of a member", 1, listed.getTotalResults());
        expect("members in a list", setOf(ada, grace), membersOf(listed.getResources().get(0)));
        ListResponse<GroupResource> posted = service.searchRequest("Groups")
            .filter(Filter.eq("displayName", "PATCHED")).invokePost(GroupResource.class);
        expect("groups by name", group.getId(), posted.getResources().get(0).getId());
        expect("members that nobody asked for", null, posted.getResources().get(0).getMembers());

        Filter byGroup = Filter.eq("groups.value", group.getId());
        List<String> users = new ArrayList<>();
        for (int first = 1; first <= 2; first += 1)
            service.searchRequest("Users").filter(byGroup).page(first, 1).invoke(UserResource.class)
                .forEach((user) -> users.add(user.getId()));
        expect("users by group", setOf(ada, grace), new TreeSet<>(users));
        UserResource user = service.retrieveRequest("Users", ada).attributes("groups").invoke(UserResource.class);
        expect("groups of a user", group.getId(), user.getGroups().get(0).getValue());
        done("searched");
    }

    private void bulk(String ada) throws Exception {
        GroupResource group = new GroupResource().setDisplayName("Bulk").setMembers(member("bulkId:new"), member(ada));
        BulkOperation ofUser =
            BulkOperation.post("/Users", new UserResource().setUserName("linus")).setBulkId("new");
        BulkOperation ofGroup = BulkOperation.post("/Groups", group).setBulkId("group");
        List<BulkOperationResult> made = service.bulkRequest().append(ofGroup, ofUser).invoke().getOperations();
        expect("statuses of a Bulk", List.of("201", "201"), statusesOf(made));
        String path = "/Groups/" + idOf(made.get(0));
        GroupResource read = service.retrieve("Groups", idOf(made.get(0)), GroupResource.class);
        expect("members made by a Bulk", setOf(ada, idOf(made.get(1))), membersOf(read));
        List<BulkOperationResult> ended = service.bulkRequest()
            .append(BulkOperation.patch(path, PatchOperation.remove("members")), BulkOperation.delete(path))
            .invoke().getOperations();
        expect("statuses of a Bulk", List.of("200", "204"), statusesOf(ended));
        done("changed by Bulk");
    }

    private static List<String> statusesOf(List<BulkOperationResult> results) {
        return results.stream().map(BulkOperationResult::getStatus).collect(Collectors.toList());
    }

    private static String idOf(BulkOperationResult result) {
        return result.getLocation().substring(result.getLocation().lastIndexOf('/') + 1);
    }

    private static Member member(String id) {
        return new Member().setValue(id);
    }

    private static TreeSet<String> membersOf(GroupResource group) {
        return group.getMembers().stream().map(Member::getValue).collect(Collectors.toCollection(TreeSet::new));
    }

    private static TreeSet<String> setOf(String... ids) {
        return new TreeSet<>(List.of(ids));
    }

    private static void expect(String what, Object wanted, Object got) {
        if (wanted == null ? got != null : !wanted.equals(got))
            throw new IllegalStateException(what + ": " + got + " instead of " + wanted);
    }

    private static void done(String what) {
        System.out.println(what);
    }
}
