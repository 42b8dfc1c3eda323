/** Lists of a Word document: which count, and which have bullets. */
import { attribute, childAt, childrenNamed, descendants, type XmlElement } from '../../xml-tree.ts';

export type ListSign = 'ordered' | 'bullets' | 'blank';

export class DocxNumbering {
  readonly #lists: ReadonlyMap<string, XmlElement>;
  readonly #definitions: ReadonlyMap<string, XmlElement>;
  /** Definitions by the style that owns them: others link to it. */
  readonly #owners: ReadonlyMap<string, XmlElement>;
  readonly #byLevel = new Map<XmlElement, ReadonlyMap<string, XmlElement>>();

  constructor(root: XmlElement) {
    const definitions = descendants(root, 'abstractnum');
    this.#definitions = new Map(definitions.map((one) => [attribute(one, 'abstractnumid') ?? '', one]));
    this.#owners = new Map(
      definitions.flatMap((one) => {
        const style = attribute(childAt(one, 'stylelink'), 'val');
        return style === null ? [] : [[style, one] as const];
      }),
    );
    this.#lists = new Map(descendants(root, 'num').map((one) => [attribute(one, 'numid') ?? '', one]));
  }

  /** `blank`: a paragraph without a sign, which belongs to the item before it. Lists that nothing defines have bullets. */
  kindOf(list: string, level: number): ListSign {
    const levelElement = this.#level(list, level);
    const format = attribute(childAt(levelElement, 'numfmt'), 'val')?.toLowerCase() ?? 'bullet';
    if (format !== 'bullet' && format !== 'none') return 'ordered';
    const sign = attribute(childAt(levelElement, 'lvltext'), 'val');
    return sign !== null && sign.trim() === '' ? 'blank' : 'bullets';
  }

  #level(list: string, level: number): XmlElement | undefined {
    const element = this.#lists.get(list);
    const override = this.#levels(element, 'lvloverride').get(String(level));
    return childAt(override, 'lvl') ?? this.#levels(this.#definition(element), 'lvl').get(String(level));
  }

  /** Children of an element by their level, the first of each. */
  #levels(element: XmlElement | undefined, name: 'lvl' | 'lvloverride'): ReadonlyMap<string, XmlElement> {
    if (element === undefined) return new Map();
    const known = this.#byLevel.get(element);
    if (known !== undefined) return known;
    const levels = new Map(
      childrenNamed(element, name)
        .map((one) => [attribute(one, 'ilvl') ?? '', one] as const)
        .reverse(),
    );
    this.#byLevel.set(element, levels);
    return levels;
  }

  #definition(list: XmlElement | undefined): XmlElement | undefined {
    const definition = this.#definitions.get(attribute(childAt(list, 'abstractnumid'), 'val') ?? '');
    const style = attribute(childAt(definition, 'numstylelink'), 'val');
    return style === null ? definition : this.#owners.get(style);
  }
}
