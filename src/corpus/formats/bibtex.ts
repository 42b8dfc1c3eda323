/** Entries of BibTeX and biblatex. */

/** A list is one of names, which are taken whole. Null and empty lists are omitted. */
export type BibFields = Readonly<Record<string, string | readonly string[] | null>>;

/** Fields whose values are not TeX in biblatex, and for which no escape is known: only braces must not occur. */
const VERBATIM = new Set(['url', 'doi']);

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
};

/** One entry. @param key without white space, braces, commas, quotes, `#`, `%`, `\` and `~` */
export function bibEntry(type: string, key: string, fields: BibFields): string {
  const lines = Object.entries(fields).flatMap(([name, value]) => {
    if (value === null || value.length === 0) return [];
    if (typeof value !== 'string') return [`  ${name} = {${value.map((one) => `{${escaped(one)}}`).join(' and ')}},`];
    return [`  ${name} = {${VERBATIM.has(name) ? encoded(value) : escaped(value)}},`];
  });
  return [`@${type}{${key},`, ...lines, '}', ''].join('\n');
}

/** Control characters end some parsers early. */
function escaped(text: string): string {
  return text
    .replace(/[\\{}~^#$%&_]/g, (char) => ESCAPES[char] ?? `\\${char}`)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

function encoded(url: string): string {
  return url.replace(/[{}\\\s\p{Cc}]/gu, (char) => encodeURIComponent(char));
}
