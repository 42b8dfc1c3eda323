/** The address of a field `HYPERLINK "address" \l "place"` (ISO/IEC 29500-1 §17.16.5.25); null for other fields. */
export function fieldLink(instruction: string): string | null {
  const rest = /^\s*HYPERLINK\b([\s\S]*)$/i.exec(instruction)?.[1];
  if (rest === undefined) return null;
  let address = '';
  let place = '';
  let last = '';
  for (const [, quoted, plain = ''] of rest.matchAll(/"([^"]*)"|(\S+)/g)) {
    if (quoted === undefined && plain.startsWith('\\')) {
      last = plain.toLowerCase();
      continue;
    }
    const value = quoted ?? plain;
    if (last === '\\l') place ||= value;
    else if (last === '' || last === '\\n' || last === '\\m') address ||= value;
    last = '';
  }
  if (address === '' && place === '') return null;
  return place === '' ? address : `${address}#${place}`;
}
