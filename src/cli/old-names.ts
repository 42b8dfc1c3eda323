/** Names of options that an earlier version had: they work for one version more, with a notice. */

export interface OldName {
  /** Without its dashes. */
  readonly name: string;
  /** Has it a value? */
  readonly hasValue: boolean;
  /** The words of now; null where the word stays what it is. @param value '' without one */
  readonly now: (value: string) => readonly string[] | null;
}

/** The same option under another name. */
export function renamed(name: string, now: string): OldName {
  return { name, hasValue: true, now: (value) => [`--${now}`, value] };
}

/** A command line in the names of now. */
export function withNewNames(words: readonly string[], oldNames: readonly OldName[], warn: (line: string) => void): string[] {
  const out: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    const [, name, inline] = /^--([a-z][a-z0-9-]*)(?:=(.*))?$/s.exec(word) ?? [];
    const old = oldNames.find((one) => one.name === name);
    const takesNext = old?.hasValue === true && inline === undefined;
    const now = old?.now(inline ?? (takesNext ? (words[i + 1] ?? '') : '')) ?? null;
    if (old === undefined || now === null) out.push(word);
    else {
      if (takesNext) i += 1;
      warn(
        `--${old.name} is now ${now.length === 0 ? 'the default, and no option any more' : now.join(' ')}; the old name works in this version only`,
      );
      out.push(...now);
    }
  }
  return out;
}
