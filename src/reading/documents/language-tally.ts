/** The language of a text whose runs state theirs. */
export class LanguageTally {
  readonly #languages = new Map<string, number>();
  #chars = 0;

  /** @param language BCP 47; null for a run that states none */
  count(chars: number, language: string | null): void {
    this.#chars += chars;
    if (language !== null) this.#languages.set(language, (this.#languages.get(language) ?? 0) + chars);
  }

  /** The language that most of the text states; null for none. That of a program's defaults is the one of its installation, and is not counted. */
  get language(): string | null {
    for (const [language, chars] of this.#languages) if (2 * chars > this.#chars) return language;
    return null;
  }
}
