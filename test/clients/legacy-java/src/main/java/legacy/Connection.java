package legacy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Requests by HttpURLConnection, with the header fields that it sends on its own. */
final class Connection {
    private final String base;
    private final String authorization;
    private final String accept;

    /**
     * @param authorization null for none
     * @param accept null leaves it to the platform: text/html, image/gif, image/jpeg, *; q=.2, and what else it likes
     */
    Connection(String base, String authorization, String accept) {
        this.base = base;
        this.authorization = authorization;
        this.accept = accept;
    }

    /** @param key an API key, id:secret */
    static String basic(String key) {
        return "Basic " + Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * @param url absolute, or a path of the service
     * @param body null for none
     * @param condition name and value of a header field, or nothing
     */
    Answer send(String method, String url, byte[] body, String... condition) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) new URL(new URL(base), url).openConnection();
        connection.setRequestMethod(method);
        connection.setConnectTimeout(10000);
        connection.setReadTimeout(10000);
        if (authorization != null) connection.setRequestProperty("Authorization", authorization);
        if (accept != null) connection.setRequestProperty("Accept", accept);
        if (condition.length > 0) connection.setRequestProperty(condition[0], condition[1]);
        if (body != null) {
            connection.setDoOutput(true);
            connection.setRequestProperty("Content-Type", "application/xml");
            try (OutputStream out = connection.getOutputStream()) {
                out.write(body);
            }
        }
        int status = connection.getResponseCode();
        return new Answer(method + " " + url, status, connection, bytesOf(status, connection));
    }

    private static byte[] bytesOf(int status, HttpURLConnection connection) throws IOException {
        try (InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            byte[] piece = new byte[8192];
            for (int length; in != null && (length = in.read(piece)) > 0; ) bytes.write(piece, 0, length);
            return bytes.toByteArray();
        }
    }

    /** What came back, read to its end. */
    static final class Answer {
        final String request;
        final int status;
        final byte[] body;
        private final HttpURLConnection connection;

        Answer(String request, int status, HttpURLConnection connection, byte[] body) {
            this.request = request;
            this.status = status;
            this.connection = connection;
            this.body = body;
        }

        String header(String name) {
            return connection.getHeaderField(name);
        }

        /** Itself. @throws IllegalStateException when it has another status */
        Answer with(int wanted) {
            if (status == wanted) return this;
            String text = new String(body, StandardCharsets.UTF_8);
            throw new IllegalStateException(request + ": " + status + " instead of " + wanted + "\n" + text);
        }
    }
}
