/** What the webs of entries are made of: one page an entry, with the links that the source itself has. */

export interface Entry {
  /** From the root of the web's host, `/entry/moss.html`, or a whole URL of another host. */
  readonly path: string;
  readonly title: string;
  /** Main part of the page, as HTML. The labels stand nowhere in it. */
  readonly body: string;
  /** As the editors of the source gave them. */
  readonly labels: readonly string[];
}

export interface EntryWeb {
  /** In the order of the lists; neighbours link to each other. */
  readonly entries: readonly Entry[];
  /** Pages that only entries lead to, of authors and maintainers. They have no label. */
  readonly others: readonly Entry[];
}

/** Paths, each given once: what has the name of another gets a number. */
export class Paths {
  readonly #given = new Set<string>();

  /** @returns `/folder/name.html`, in small letters and digits */
  take(folder: string, name: string): string {
    const slug =
      name
        .toLowerCase()
        .replaceAll(/[^a-z\d]+/g, '-')
        .replaceAll(/^-|-$/g, '') || 'sign';
    for (let count = 1; ; count++) {
      const path = `/${folder}/${count === 1 ? slug : `${slug}-${count}`}.html`;
      if (this.#given.has(path)) continue;
      this.#given.add(path);
      return path;
    }
  }
}
