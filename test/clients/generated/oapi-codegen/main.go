// usage: TOKEN=… main BASE_URL, on a service without users. Prints a line for each thing that went as it should.
package main

import (
	"client/users"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"reflect"
	"regexp"
)

var next = regexp.MustCompile(`[?&]after=([^&>]+)[^>]*>; rel="next"`)

func main() {
	url, token := os.Args[1], os.Getenv("TOKEN")
	ctx := context.Background()

	// docs/clients.md
	api, err := users.NewClientWithResponses(url, users.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+token)
		return nil
	}))
	check(err)

	ada := users.UserInput{UserName: "ada", Title: to("Analyst"), Roles: &[]string{"engineer"}}
	created, err := api.CreateUserWithResponse(ctx, nil, ada)
	check(err)
	user, tag := created.JSON201, created.HTTPResponse.Header.Get("ETag")

	total := users.ListUsersParamsTotal(true)
	page, err := api.ListUsersWithResponse(ctx, &users.ListUsersParams{Role: to("engineer"), Limit: to(1), Total: &total})
	check(err)
	after := next.FindStringSubmatch(page.HTTPResponse.Header.Get("Link"))
	fmt.Println(len(page.JSON200.Users), "of", *page.JSON200.Total, after)

	whole := users.UserInput{UserName: user.UserName, Title: to("Countess"), Roles: user.Roles}
	replaced, err := api.ReplaceUserWithResponse(ctx, user.Id, &users.ReplaceUserParams{IfMatch: &tag}, whole)
	check(err)
	patched, err := api.PatchUserWithResponse(ctx, user.Id, nil, users.UserPatch{DisplayName: to("Ada Lovelace")})
	check(err)

	late, err := api.ReplaceUserWithResponse(ctx, user.Id, &users.ReplaceUserParams{IfMatch: &tag}, whole)
	check(err)
	if problem := late.ApplicationproblemJSON412; problem != nil {
		fmt.Println(problem.Status, *problem.Detail)
	}
	// end

	expect("created", []any{user.UserName, *user.Title, *user.Roles}, []any{"ada", "Analyst", []string{"engineer"}})
	read, err := api.ReadUserWithResponse(ctx, user.Id, nil)
	check(err)
	expect("read", read.JSON200, patched.JSON200)
	expect("total", []any{*page.JSON200.Total, len(page.JSON200.Users), len(after)}, []any{1, 1, 0})
	expect("replaced", *replaced.JSON200.Title, "Countess")
	replaced.JSON200.DisplayName = to("Ada Lovelace")
	replaced.JSON200.Meta = patched.JSON200.Meta
	expect("patched", patched.JSON200, replaced.JSON200)
	cleared, err := api.PatchUserWithResponse(ctx, user.Id, nil, users.UserPatch{Title: to(""), Roles: &[]string{}})
	check(err)
	is := cleared.JSON200
	expect("cleared", []any{is.Title == nil, is.Roles == nil, *is.DisplayName}, []any{true, true, "Ada Lovelace"})

	for _, name := range []string{"grace", "edsger", "barbara", "donald"} {
		emails := &[]users.EmailInput{{Value: name + "@example.com"}}
		_, err := api.CreateUserWithResponse(ctx, nil, users.UserInput{UserName: name, Emails: emails})
		check(err)
	}
	var names []string
	for params := (users.ListUsersParams{Limit: to(2)}); ; {
		one, err := api.ListUsersWithResponse(ctx, &params)
		check(err)
		for _, each := range one.JSON200.Users {
			names = append(names, each.UserName)
		}
		found := next.FindStringSubmatch(one.HTTPResponse.Header.Get("Link"))
		if found == nil {
			break
		}
		params.After = &found[1]
	}
	expect("listed", names, []string{"ada", "grace", "edsger", "barbara", "donald"})

	missing, err := api.ReadUserWithResponse(ctx, "00000000-0000-7000-8000-000000000000", nil)
	check(err)
	expect("404", refusal(missing.ApplicationproblemJSON404), []string{"404", "/problems/user-not-found"})
	taken, err := api.CreateUserWithResponse(ctx, nil, ada)
	check(err)
	expect("409", refusal(taken.ApplicationproblemJSON409), []string{"409", "/problems/user-name-taken", "/userName"})
	expect("412", refusal(late.ApplicationproblemJSON412), []string{"412", "/problems/precondition-failed"})
	wrong, err := api.CreateUserWithResponse(ctx, nil, users.UserInput{UserName: "ada lovelace"})
	check(err)
	expect("422", refusal(wrong.ApplicationproblemJSON422), []string{"422", "/problems/invalid-user", "/userName"})
}

func to[T any](value T) *T { return &value }

func refusal(problem *users.Problem) []string {
	if problem == nil {
		log.Fatal("it was not refused")
	}
	all := []string{fmt.Sprint(problem.Status), problem.Type}
	if problem.Errors != nil {
		for _, one := range *problem.Errors {
			all = append(all, one.Pointer)
		}
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
