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

    /** @param types a package that xjc made from the schema */
    Documents(String schema, String types) throws Exception {
        this.schema = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI).newSchema(new URL(schema));
        this.context = JAXBContext.newInstance(types);
    }

    /** @throws org.xml.sax.SAXException when it isn't valid */
    <T> T read(byte[] document, Class<T> type) throws Exception {
        schema.newValidator().validate(new StreamSource(new ByteArrayInputStream(document)));
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
