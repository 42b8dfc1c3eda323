/** Small files of each kind that need no other program, for damage. */
export const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  openapi: [
    JSON.stringify({
      openapi: '3.0.1',
      info: { title: 'Ferries', version: '3', description: 'Times of **ferries**.\n\n- [by port](https://ports.example/)' },
      servers: [{ url: 'https://ferries.example/{v}', variables: { v: { default: 'v3' } } }],
      paths: {
        '/ports': {
          get: {
            summary: 'Ports',
            parameters: [{ $ref: '#/components/parameters/p' }],
            responses: { '200': { description: 'All ports' } },
          },
        },
        '/ports/{id}': { $ref: '#/components/pathItems/port' },
      },
      components: {
        parameters: { p: { name: 'page', in: 'query', description: 'Number of the page' } },
        pathItems: { port: { get: { operationId: 'port' }, delete: {} } },
        schemas: { Port: { description: 'A port', properties: { name: { description: 'Its name' } } } },
      },
    }),
    'swagger: "2.0"\ninfo:\n  title: Tides\n  version: 1\n  description: |\n    Hours of high water.\n\n    ```\n    code\n    ```\nhost: tides.example\nbasePath: /api\npaths: &paths\n  /tides:\n    get:\n      summary: Tides\n      parameters:\n        - {name: day, in: query, description: A day}\ndefinitions:\n  Tide:\n    properties:\n      height: {description: In metres}\nx-same: *paths\n',
  ],
  wsdl: [
    '<definitions name="Ferry" xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:t="urn:t" xmlns:soap="s"><documentation>Ferries</documentation><types><schema><element name="Port"><annotation><documentation>A port</documentation></annotation><complexType><sequence><element name="name"/></sequence></complexType></element></schema></types><message name="In"><part name="port"/></message><portType name="F"><operation name="Times"><documentation>Times of a day</documentation><input message="t:In"/></operation></portType><binding name="B" type="t:F"><operation name="Times"/></binding><service name="S"><port binding="t:B"><soap:address location="https://f.example/"/></port></service></definitions>',
    '<description xmlns="http://www.w3.org/ns/wsdl" xmlns:t="urn:t"><interface name="I"><operation name="book"><input element="t:room"/></operation></interface><binding interface="t:I" type="x"><operation ref="t:book" method="POST" location="rooms"/></binding><service name="S"><endpoint address="https://l.example/"/></service></description>',
  ],
  feed: [
    '<?xml version="1.0"?><rss version="2.0"><channel><title>Ferries</title><link>https://f.example/</link><description>All &lt;b&gt;ferries&lt;/b&gt;</description><item><title>Late</title><link>https://f.example/1</link><pubDate>Mon, 02 Mar 2020 08:00:00 GMT</pubDate><description><![CDATA[<p>A <a href="/x">storm</a></p>]]></description></item></channel></rss>',
    '<feed xmlns="http://www.w3.org/2005/Atom"><title>Ferries</title><entry><title type="html">a &amp;amp; b</title><link href="1"/><content type="xhtml"><div><p>Text<br/>more</p></div></content></entry></feed>',
    '{"version":"https://jsonfeed.org/version/1.1","title":"Ferries","items":[{"url":"/1","title":"One","content_html":"<p>A <i>b</i></p>"},{"content_text":"c"}]}',
  ],
};
