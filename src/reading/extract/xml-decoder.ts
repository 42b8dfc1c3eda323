/** The charset of XML, which is not that of HTML: there is no guess. */
import { TextDecoder as XmlDecoder } from '@exodus/bytes/encoding.js';
import { charsetOf } from '../../base/web/charset.ts';
import { looksUtf16 } from '../../base/web/content-type.ts';

/** Decoder by byte order mark or the byte order of the first characters, else by the XML declaration (XML 1.0, appendix F), else UTF-8. */
export function xmlDecoder(start: Uint8Array): InstanceType<typeof XmlDecoder> {
  return new XmlDecoder(looksUtf16(start) ?? declaredIn(start) ?? 'utf-8');
}

/** null for UTF-16, in which this declaration could not be read. */
function declaredIn(start: Uint8Array): string | null {
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return null;
  const label = /encoding\s*=\s*["']([\w.:-]+)["']/.exec(Buffer.from(start.subarray(0, 200)).toString('latin1'))?.[1];
  const charset = label === undefined ? null : charsetOf(label);
  return charset === 'replacement' || charset?.startsWith('utf-16') ? null : charset;
}
