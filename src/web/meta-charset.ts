/** The WHATWG prescan: the charset that an HTML page declares in its first bytes (HTML standard §13.2.3.2). */

/** The standard's own length; authors must declare within it. */
const PRESCAN_BYTES = 1024;

/**
 * The label in `<meta charset>`, `<meta http-equiv>` or the XML declaration; null if there is none. UTF-16 reads as UTF-8, because the declaration
 * could be read as ASCII.
 */
export function metaCharset(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, PRESCAN_BYTES)).toString('latin1');
  const label = prescan(head) ?? xmlEncoding(head);
  if (label === null) return null;
  if (/^(?:utf-?16|ucs-2|iso-10646-ucs-2|unicode)/i.test(label)) return 'utf-8';
  return label.toLowerCase() === 'x-user-defined' ? 'windows-1252' : label;
}

function prescan(head: string): string | null {
  for (let at = head.indexOf('<'); at >= 0; at = head.indexOf('<', at)) {
    if (head.startsWith('<!--', at)) {
      const end = head.indexOf('-->', at + 2);
      if (end < 0) return null;
      at = end + 3;
    } else if (/^<\/?[a-z]/i.test(head.slice(at, at + 3))) {
      const tag = readTag(head, at);
      const label = /^<meta[\s/]/i.test(head.slice(at, at + 6)) ? charsetOfMeta(tag.attributes) : null;
      if (label !== null) return label;
      at = tag.end;
    } else if (/^[!/?]$/.test(head[at + 1] ?? '')) {
      const end = head.indexOf('>', at);
      if (end < 0) return null;
      at = end + 1;
    } else at++;
  }
  return null;
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
