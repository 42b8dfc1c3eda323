const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text without markup, for content and quoted attributes of XML, SVG and HTML. `]]>` must not be in content (XML 1.0 §2.4): its `>` is escaped. */
export function escapeSigns(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
}
