// usage: TOKEN=… main BASE_URL, on a service without users. Prints a line for each thing that went as it should.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"reflect"
	"regexp"

	openapi "github.com/GIT_USER_ID/GIT_REPO_ID"
)

var next = regexp.MustCompile(`[?&]after=([^&>]+)[^>]*>; rel="next"`)

func main() {
	url, token := os.Args[1], os.Getenv("TOKEN")

	// docs/clients.md
	config := openapi.NewConfiguration()
	config.Servers = openapi.ServerConfigurations{{URL: url}}
	api := openapi.NewAPIClient(config).UsersAPI
	ctx := context.WithValue(context.Background(), openapi.ContextAccessToken, token)

	ada := openapi.UserInput{UserName: "ada", Title: openapi.PtrString("Analyst"), Roles: []string{"engineer"}}
	user, created, err := api.CreateUser(ctx).UserInput(ada).Execute()
	check(err)
	tag := created.Header.Get("ETag")

	page, answer, err := api.ListUsers(ctx).Role("engineer").Limit(1).Total(true).Execute()
	check(err)
	after := next.FindStringSubmatch(answer.Header.Get("Link"))
	fmt.Println(len(page.Users), "of", page.GetTotal(), after)

	whole := openapi.UserInput{UserName: user.UserName, Title: openapi.PtrString("Countess"), Roles: user.Roles}
	replaced, _, err := api.ReplaceUser(ctx, user.Id).UserInput(whole).IfMatch(tag).Execute()
	check(err)
	patch := openapi.UserPatch{DisplayName: openapi.PtrString("Ada Lovelace")}
	patched, _, err := api.PatchUser(ctx, user.Id).UserPatch(patch).Execute()
	check(err)

	_, _, err = api.ReplaceUser(ctx, user.Id).UserInput(whole).IfMatch(tag).Execute()
	var refused *openapi.GenericOpenAPIError
	if errors.As(err, &refused) {
		problem := refused.Model().(openapi.Problem)
		fmt.Println(problem.Status, problem.GetDetail())
	}
	// end

	expect("created", []any{user.UserName, *user.Title, user.Roles}, []any{"ada", "Analyst", []string{"engineer"}})
	read, _, err := api.ReadUser(ctx, user.Id).Execute()
	check(err)
	expect("read", read, patched)
	expect("total", []any{page.GetTotal(), len(page.Users), len(after)}, []any{int32(1), 1, 0})
	expect("replaced", *replaced.Title, "Countess")
	replaced.DisplayName = openapi.PtrString("Ada Lovelace")
	replaced.Meta = patched.Meta
	expect("patched", patched, replaced)
	clear := openapi.UserPatch{Title: openapi.PtrString(""), Roles: []string{}}
	cleared, _, err := api.PatchUser(ctx, user.Id).UserPatch(clear).Execute()
	check(err)
	expect("cleared", []any{cleared.Title == nil, cleared.Roles == nil, *cleared.DisplayName}, []any{true, true, "Ada Lovelace"})

	for _, name := range []string{"grace", "edsger", "barbara", "donald"} {
		emails := []openapi.EmailInput{{Value: name + "@example.com"}}
		_, _, err := api.CreateUser(ctx).UserInput(openapi.UserInput{UserName: name, Emails: emails}).Execute()
		check(err)
	}
	var names []string
	for request := api.ListUsers(ctx).Limit(2); ; {
		one, answer, err := request.Execute()
		check(err)
		for _, each := range one.Users {
			names = append(names, each.UserName)
		}
		found := next.FindStringSubmatch(answer.Header.Get("Link"))
		if found == nil {
			break
		}
		request = request.After(found[1])
	}
	expect("listed", names, []string{"ada", "grace", "edsger", "barbara", "donald"})

	_, _, err = api.ReadUser(ctx, "00000000-0000-7000-8000-000000000000").Execute()
	expect("404", refusal(err), []string{"404", "/problems/user-not-found"})
	_, _, err = api.CreateUser(ctx).UserInput(ada).Execute()
	expect("409", refusal(err), []string{"409", "/problems/user-name-taken", "/userName"})
	_, _, err = api.ReplaceUser(ctx, user.Id).UserInput(whole).IfMatch(tag).Execute()
	expect("412", refusal(err), []string{"412", "/problems/precondition-failed"})
	_, _, err = api.CreateUser(ctx).UserInput(openapi.UserInput{UserName: "ada lovelace"}).Execute()
	expect("422", refusal(err), []string{"422", "/problems/invalid-user", "/userName"})
}

func refusal(err error) []string {
	var refused *openapi.GenericOpenAPIError
	if !errors.As(err, &refused) {
		log.Fatalf("it was not refused: %v", err)
	}
	problem := refused.Model().(openapi.Problem)
	all := []string{fmt.Sprint(problem.Status), problem.Type}
	for _, one := range problem.Errors {
		all = append(all, one.GetPointer())
	}
	return all
}

func expect(what string, got, wanted any) {
	if !reflect.DeepEqual(got, wanted) {
		is, _ := json.Marshal(got)
		was, _ := json.Marshal(wanted)
		log.Fatalf("%s: %s instead of %s", what, is, was)
	}
	fmt.Println(what)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
