package legacy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.URL;
import javax.xml.XMLConstants;
import javax.xml.bind.JAXBContext;
import javax.xml.bind.Marshaller;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;

/** Documents of one published schema: read by JAXB once Java's own validator has found nothing, and written under its eyes. */
final class Documents {
    static {
        // Java's validator counts a character beyond U+FFFF as two unless told, and refuses texts that are within their limit.
        System.setProperty(
            "com.sun.org.apache.xerces.internal.impl.dv.xs.useCodePointCountForStringLength", "true");
    }

    private final Schema schema;
    private final JAXBContext context;

    /**
     * @param schema null reads and writes without validation
     * @param types a package that xjc made from the schema
     */
    Documents(String schema, String types) throws Exception {
        SchemaFactory factory = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI);
        this.schema = schema == null ? null : factory.newSchema(new URL(schema));
        this.context = JAXBContext.newInstance(types);
    }

    /** @throws org.xml.sax.SAXException when it isn't valid */
    <T> T read(byte[] document, Class<T> type) throws Exception {
        if (schema != null) schema.newValidator().validate(new StreamSource(new ByteArrayInputStream(document)));
        return type.cast(context.createUnmarshaller().unmarshal(new ByteArrayInputStream(document)));
    }

    /** @throws javax.xml.bind.MarshalException when it wouldn't be valid */
    byte[] write(Object document) throws Exception {
        Marshaller marshaller = context.createMarshaller();
        marshaller.setSchema(schema);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        marshaller.marshal(document, bytes);
        return bytes.toByteArray();
    }
}
