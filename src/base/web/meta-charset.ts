/** The WHATWG prescan: the charset that an HTML page declares in its first bytes (HTML standard §13.2.3.2). */

/** The standard's own length; authors must declare within it. */
const PRESCAN_BYTES = 1024;
/** The standard has no limit after those. Heads with all their scripts and styles are shorter. */
const MAX_LATE_BYTES = 2 * 1024 * 1024;

/**
 * The label in `<meta charset>`, `<meta http-equiv>` or the XML declaration; null if there is none. UTF-16 reads as UTF-8, because the declaration
 * could be read as ASCII.
 */
export function metaCharset(bytes: Uint8Array): string | null {
  const head = latin1(bytes, PRESCAN_BYTES);
  // Pages of a site begin alike: the same start up to the end of the declaring tag has the same label.
  if (declaring !== null && head.startsWith(declaring.start)) return declaring.label;
  const found = prescan(head);
  if (found === null) return asAscii(xmlEncoding(head));
  const label = asAscii(found.label);
  if (head[found.end] === '>') declaring = { start: head.slice(0, found.end + 1), label };
  return label;
}

/** Start of the page that was read last, up to the `>` of the tag with its label. */
let declaring: { readonly start: string; readonly label: string | null } | null = null;

/**
 * The charset of the first `<meta>` anywhere in the page that declares a known one; a `<meta>` inside an element whose content is no markup does not
 * count. null if there is none in the first 2 MiB. O(bytes).
 */
export function lateMetaCharset(bytes: Uint8Array, charsetOf: CharsetOf): string | null {
  const html = latin1(bytes, MAX_LATE_BYTES);
  return /<meta[^<>]{0,500}charset/i.test(html) ? asAscii(prescan(html, charsetOf)?.label ?? null) : null;
}

/** The charset of a label; null for an unknown one. */
type CharsetOf = (label: string) => string | null;

function latin1(bytes: Uint8Array, most: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, most)).toString('latin1');
}

/** The declaration was read as ASCII, so that it cannot mean UTF-16 (HTML Standard §13.2.3.2). */
function asAscii(label: string | null): string | null {
  if (label === null) return null;
  if (/^(?:utf-?16|ucs-2|iso-10646-ucs-2|unicode)/i.test(label)) return 'utf-8';
  return label.toLowerCase() === 'x-user-defined' ? 'windows-1252' : label;
}

/** Elements whose content is no markup (HTML Standard §13.2.6.4.7). The prescan of the standard does not know them; its parser does. */
const RAW = /^<(script|style|title|textarea|xmp|iframe|noembed|noframes)[\s/>]/i;

/**
 * The first label, and the end of its tag without the `>`.
 * @param known given after the first 1,024 bytes: as the parser of the standard, it skips unknown labels and the content of raw elements
 */
function prescan(html: string, known: CharsetOf | null = null): { readonly label: string; readonly end: number } | null {
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    if (html.startsWith('<!--', at)) {
      const end = html.indexOf('-->', at + 2);
      if (end < 0) return null;
      at = end + 3;
    } else if (/^<\/?[a-z]/i.test(html.slice(at, at + 3))) {
      const tag = readTag(html, at);
      const label = /^<meta[\s/]/i.test(html.slice(at, at + 6)) ? charsetOfMeta(tag.attributes) : null;
      if (label !== null && known?.(label) !== null) return { label, end: tag.end };
      const raw = known ? RAW.exec(html.slice(at, at + 12))?.[1] : undefined;
      at = raw === undefined ? tag.end : endOfRaw(html, raw, tag.end);
    } else if (/^[!/?]$/.test(html[at + 1] ?? '')) {
      const end = html.indexOf('>', at);
      if (end < 0) return null;
      at = end + 1;
    } else at++;
  }
  return null;
}

function endOfRaw(html: string, name: string, from: number): number {
  const end = new RegExp(`</${name}[\\s/>]`, 'gi');
  end.lastIndex = from;
  return end.exec(html)?.index ?? html.length;
}

/** Name, then value in double, single or no quotes. Every alternative starts with a different character, so it cannot backtrack far. */
const ATTRIBUTE = /[\s/]*([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)))?/y;

function readTag(head: string, at: number): { readonly attributes: ReadonlyMap<string, string>; readonly end: number } {
  const attributes = new Map<string, string>();
  let end = at + 1;
  while (end < head.length && !/[\s/>]/.test(head[end] ?? '>')) end++;
  // `</p>`: the slash comes first.
  if (head[at + 1] === '/') end = Math.max(end, at + 2);
  for (;;) {
    ATTRIBUTE.lastIndex = end;
    const match = ATTRIBUTE.exec(head);
    if (match === null) break;
    const name = (match[1] ?? '').toLowerCase();
    if (!attributes.has(name)) attributes.set(name, match[2] ?? match[3] ?? match[4] ?? '');
    end = ATTRIBUTE.lastIndex;
  }
  return { attributes, end };
}

function charsetOfMeta(attributes: ReadonlyMap<string, string>): string | null {
  const charset = attributes.get('charset')?.trim();
  if (charset) return charset;
  if (attributes.get('http-equiv')?.trim().toLowerCase() !== 'content-type') return null;
  const match = /charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))/i.exec(attributes.get('content') ?? '');
  const label = (match?.[1] ?? match?.[2] ?? match?.[3] ?? '').trim();
  return label === '' ? null : label;
}

function xmlEncoding(head: string): string | null {
  return /^<\?xml[^>]*?encoding\s*=\s*["']([^"'>]+)["']/.exec(head)?.[1]?.trim() ?? null;
}
