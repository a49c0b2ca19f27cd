import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.ApiResponse;
import org.openapitools.client.api.UsersApi;
import org.openapitools.client.api.UsersApi.*;
import org.openapitools.client.model.*;

/** usage: TOKEN=… java UserClient BASE_URL, on a service without users. Prints a line for each thing that went as it should. */
public final class UserClient {
  static final Pattern NEXT = Pattern.compile("[?&]after=([^&>]+)[^>]*>; rel=\"next\"");

  public static void main(String[] args) throws Exception {
    String url = args[0];
    String token = System.getenv("TOKEN");

    // docs/clients.md
    ApiClient client = new ApiClient();
    client.updateBaseUri(url);
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
    UsersApi api = new UsersApi(client);

    UserInput ada = new UserInput().userName("ada").title("Analyst").roles(List.of("engineer"));
    ApiResponse<User> created = api.createUserWithHttpInfo(APICreateUserRequest.newBuilder().userInput(ada).build());
    User user = created.getData();
    String tag = created.getHeaders().get("ETag").get(0);

    ApiResponse<Users> page = api.listUsersWithHttpInfo(
        APIListUsersRequest.newBuilder().role("engineer").limit(1).total(true).build());
    Matcher next = NEXT.matcher(String.join(", ", page.getHeaders().getOrDefault("Link", List.of())));
    System.out.println(page.getData().getTotal() + " in all, " + (next.find() ? "more with after: " + next.group(1) : "no more"));

    ObjectMapper mapper = ApiClient.createDefaultObjectMapper();
    UserInput whole = mapper.convertValue(user, UserInput.class).title("Countess");
    var replace = APIReplaceUserRequest.newBuilder().id(user.getId()).userInput(whole).ifMatch(tag).build();
    User replaced = api.replaceUser(replace);
    UserPatch change = new UserPatch().displayName("Ada Lovelace");
    User patched = api.patchUser(APIPatchUserRequest.newBuilder().id(user.getId()).userPatch(change).build());

    try {
      api.replaceUser(replace);
    } catch (ApiException error) {
      Problem problem = mapper.readValue(error.getResponseBody(), Problem.class);
      System.out.println(problem.getStatus() + " " + problem.getDetail());
    }
    // end

    expect("created", List.of(user.getUserName(), user.getTitle(), user.getRoles()), List.of("ada", "Analyst", List.of("engineer")));
    expect("read", api.readUser(read(user.getId())), patched);
    expect("total", List.of(page.getData().getTotal(), page.getData().getUsers().size()), List.of(1, 1));
    expect("replaced", replaced.getTitle(), "Countess");
    expect("patched", patched.meta(null), replaced.meta(null).displayName("Ada Lovelace"));
    UserPatch clear = new UserPatch().title("").roles(List.of());
    User cleared = api.patchUser(APIPatchUserRequest.newBuilder().id(user.getId()).userPatch(clear).build());
    expect("cleared", Arrays.asList(cleared.getTitle(), cleared.getRoles(), cleared.getDisplayName()), Arrays.asList(null, List.of(), "Ada Lovelace"));

    for (String name : List.of("grace", "edsger", "barbara", "donald"))
      create(api, new UserInput().userName(name).addEmailsItem(new EmailInput().value(name + "@example.com")));
    // What a patch of another member could lose.
    User grace = api.listUsers(APIListUsersRequest.newBuilder().userName("grace").build()).getUsers().get(0);
    User titled = api.patchUser(APIPatchUserRequest.newBuilder().id(grace.getId()).userPatch(new UserPatch().title("Admiral")).build());
    expect("emails kept", titled.getEmails(), grace.getEmails());
    List<String> names = new ArrayList<>();
    for (String after = null; ; ) {
      ApiResponse<Users> one = api.listUsersWithHttpInfo(APIListUsersRequest.newBuilder().limit(2).after(after).build());
      one.getData().getUsers().forEach(each -> names.add(each.getUserName()));
      Matcher more = NEXT.matcher(String.join(", ", one.getHeaders().getOrDefault("Link", List.of())));
      if (!more.find()) break;
      after = more.group(1);
    }
    expect("listed", names, List.of("ada", "grace", "edsger", "barbara", "donald"));

    String nobody = "00000000-0000-7000-8000-000000000000";
    expect("404", refusal(() -> api.readUser(read(nobody))), List.of(404, "/problems/user-not-found"));
    expect("409", refusal(() -> create(api, ada)), List.of(409, "/problems/user-name-taken", "/userName"));
    expect("412", refusal(() -> api.replaceUser(replace)), List.of(412, "/problems/precondition-failed"));
    UserInput wrong = new UserInput().userName("ada lovelace");
    expect("422", refusal(() -> create(api, wrong)), List.of(422, "/problems/invalid-user", "/userName"));
  }

  static APIReadUserRequest read(String id) {
    return APIReadUserRequest.newBuilder().id(id).build();
  }

  static User create(UsersApi api, UserInput input) throws ApiException {
    return api.createUser(APICreateUserRequest.newBuilder().userInput(input).build());
  }

  static void expect(String what, Object got, Object wanted) {
    if (!Objects.equals(got, wanted)) throw new AssertionError(what + ": " + got + " instead of " + wanted);
    System.out.println(what);
  }

  static List<Object> refusal(Callable<?> request) throws Exception {
    try {
      request.call();
    } catch (ApiException error) {
      Problem problem = ApiClient.createDefaultObjectMapper().readValue(error.getResponseBody(), Problem.class);
      List<Object> all = new ArrayList<>(List.of(problem.getStatus(), problem.getType().toString()));
      for (Violation one : problem.getErrors()) all.add(one.getPointer());
      return all;
    }
    throw new AssertionError("it was not refused");
  }
}
