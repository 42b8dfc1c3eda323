/** Styles of an OpenDocument text: roles of paragraphs, looks of runs, signs of lists (ODF 1.3 part 3 §16). */
import { normaliseLang } from '../../../../base/text/language.ts';
import { type ParagraphRole, roleNamed } from '../../paragraph-roles.ts';
import { firstKnown, styleChain } from '../../style-chain.ts';
import { attribute, childAt, elementsOf, type XmlElement } from '../../xml-tree.ts';

export interface OdtStyle extends ParagraphRole {
  readonly isStrong: boolean | null;
  readonly isEmphasized: boolean | null;
  readonly isHidden: boolean;
  /** BCP 47; null if neither the style nor those it is based on state one. */
  readonly language: string | null;
}

export class OdtStyles {
  readonly #elements = new Map<string, XmlElement>();
  readonly #lists = new Map<string, XmlElement>();
  readonly #known = new Map<string, OdtStyle>();

  /** @param roots of the files with styles; a later one counts more */
  constructor(...roots: readonly XmlElement[]) {
    for (const root of roots) this.#collect(root);
  }

  /** The style of a name as written in the file. */
  style(name: string | null): OdtStyle {
    const id = name ?? '';
    const style = this.#known.get(id) ?? this.#read(id);
    this.#known.set(id, style);
    return style;
  }

  /** Are the items of a list numbered? @param level from 1 */
  isOrdered(list: string | null, level: number): boolean {
    const key = `${level} ${list ?? ''}`;
    const known = this.#ordered.get(key) ?? this.#isNumbered(list, level);
    this.#ordered.set(key, known);
    return known;
  }

  #isNumbered(list: string | null, level: number): boolean {
    const levels = elementsOf(this.#lists.get(list ?? ''));
    // Pandoc defines the first level alone of a list inside of another.
    const own = levels.find((one) => attribute(one, 'level') === String(level)) ?? levels.at(-1);
    return own?.name === 'list-level-style-number' && (attribute(own, 'num-format') ?? '1') !== '';
  }

  /** Answers of `isOrdered`. */
  readonly #ordered = new Map<string, boolean>();

  #collect(element: XmlElement): void {
    for (const child of elementsOf(element)) {
      const name = attribute(child, 'name') ?? '';
      if (child.name === 'style') this.#elements.set(name, child);
      else if (child.name === 'list-style') this.#lists.set(name, child);
      else if (child.name !== 'body' && child.name !== 'master-styles') this.#collect(child);
    }
  }

  #read(id: string): OdtStyle {
    const chain = styleChain(this.#elements, id, (style) => attribute(style, 'parent-style-name'));
    const roles = [id, ...chain.flatMap(namesOf)].map((name) => roleNamed(plainName(name)));
    const looks = chain.map((style) => childAt(style, 'text-properties'));
    return {
      heading: firstKnown(roles, ({ heading }) => heading),
      role: firstKnown(roles, ({ role }) => (role === 'text' ? null : role)) ?? 'text',
      isStrong: firstKnown(looks, (look) => isOne(attribute(look, 'font-weight'), /^(?:bold|[6-9]00)$/)),
      isEmphasized: firstKnown(looks, (look) => isOne(attribute(look, 'font-style'), /^(?:italic|oblique)$/)),
      isHidden: looks.some((look) => attribute(look, 'display') === 'none'),
      language: firstKnown(looks, languageOf),
    };
  }
}

/** Own name, name for readers, and name of the style that it is based on, which the file may lack. */
function namesOf(style: XmlElement): readonly string[] {
  return ['name', 'display-name', 'parent-style-name'].flatMap((name) => attribute(style, name) ?? []);
}

/** `Heading_20_1` is `Heading 1`. */
function plainName(name: string): string {
  return name.replaceAll(/_([0-9a-f]{2})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function isOne(value: string | null, pattern: RegExp): boolean | null {
  return value === null ? null : pattern.test(value);
}

function languageOf(look: XmlElement | undefined): string | null {
  const language = attribute(look, 'language');
  const country = attribute(look, 'country');
  if (language === null || language === 'none') return null;
  return normaliseLang(country === null || country === 'none' ? language : `${language}-${country}`);
}
