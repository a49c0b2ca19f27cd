using System;
using System.IO;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text;
using System.Threading.Tasks;
using System.Xml.Serialization;
using Example.Users;

/// <summary>usage: ChangeTitle USER_URL ID:SECRET TITLE. Reads the user, sets the title and writes all of it back.</summary>
static class ChangeTitle
{
    static void Main(string[] args)
    {
        Change(args[0], args[1], args[2]).Wait();
    }

    static async Task Change(string url, string key, string title)
    {
        // docs/clients.md
        var http = new HttpClient();
        var credentials = Convert.ToBase64String(Encoding.UTF8.GetBytes(key));
        http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Basic", credentials);
        http.DefaultRequestHeaders.Accept.ParseAdd("application/xml");
        var users = new XmlSerializer(typeof(user));

        var read = (await http.GetAsync(url)).EnsureSuccessStatusCode();
        var ada = (user)users.Deserialize(await read.Content.ReadAsStreamAsync());
        ada.title = title;

        var bytes = new MemoryStream();
        users.Serialize(bytes, ada);
        var put = new HttpRequestMessage(HttpMethod.Put, url) { Content = new ByteArrayContent(bytes.ToArray()) };
        put.Content.Headers.ContentType = new MediaTypeHeaderValue("application/xml");
        put.Headers.IfMatch.Add(read.Headers.ETag);
        (await http.SendAsync(put)).EnsureSuccessStatusCode();
        // end
    }
}
