/** Roles of paragraphs by the names of their styles. Word and LibreOffice write the names of their own styles in English, in each language of the program. */

export interface ParagraphRole {
  /** Level of a heading from 1; null for text. */
  readonly heading: number | null;
  readonly role: 'text' | 'pre' | 'quote' | 'contents';
}

const TEXT: ParagraphRole = { heading: null, role: 'text' };
const ROLES: readonly (readonly [RegExp, ParagraphRole['role']])[] = [
  [/^(?:toc \d|toc heading|contents (?:\d+|heading)|table of (?:figures|authorities)|(?:\w+ )?index (?:\d|heading))$/i, 'contents'],
  [/^(?:html preformatted|preformatted text|source ?code|macro(?: ?text)?|plain code|code(?: block)?)$/i, 'pre'],
  [/^(?:(?:intense )?quote|quotations?|block ?text|block ?quote)$/i, 'quote'],
];

/** The role that the name of a style promises, or an id that is one. */
export function roleNamed(name: string): ParagraphRole {
  const plain = name.trim();
  const level = /^heading ?([1-9])$/i.exec(plain)?.[1];
  if (level !== undefined) return { ...TEXT, heading: Number(level) };
  if (/^title$/i.test(plain)) return { ...TEXT, heading: 1 };
  const role = ROLES.find(([pattern]) => pattern.test(plain))?.[1];
  return role === undefined ? TEXT : { ...TEXT, role };
}
