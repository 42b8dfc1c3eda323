/** Catalogues of GNU gettext in text form (`.po`): its manual, section "The Format of PO Files". */

export interface PoEntry {
  /** File of the original that has the text first, without its folder; '' if the catalogue does not say. */
  readonly file: string;
  readonly source: string;
  readonly translation: string;
}

const FIELD = /^(msgctxt|msgid|msgid_plural|msgstr(?:\[\d+\])?)\s+"(.*)"\s*$/;
const MORE = /^"(.*)"\s*$/;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '', b: '', f: '', v: '' };

/** Entries with a finished translation, in their order: no header, none that is fuzzy, obsolete or has a plural. */
export function readPo(text: string): PoEntry[] {
  const entries: PoEntry[] = [];
  for (const block of text.split(/\r?\n[ \t]*\r?\n/)) {
    const fields = new Map<string, string>();
    let field = '';
    for (const line of block.split(/\r?\n/)) {
      const [, name = '', start = ''] = FIELD.exec(line) ?? [];
      if (name !== '') {
        field = name;
        fields.set(name, start);
      } else if (field !== '') fields.set(field, `${fields.get(field) ?? ''}${MORE.exec(line)?.[1] ?? ''}`);
    }
    const [source, translation] = [unescaped(fields.get('msgid') ?? ''), unescaped(fields.get('msgstr') ?? '')];
    if (source === '' || translation === '' || /^#,.*\bfuzzy\b/m.test(block)) continue;
    const [, file = ''] = /^#: (?:\S*\/)?([^\s:/]+)/m.exec(block) ?? [];
    entries.push({ file, source, translation });
  }
  return entries;
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, (_, sign: string) => ESCAPES[sign] ?? sign);
}
