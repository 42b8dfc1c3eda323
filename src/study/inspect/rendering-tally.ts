/** The part of a browser in a crawl: pages that it rendered, on which grounds, with which gain and at which cost. */
import type { RenderGround, RenderTrouble } from '../../base/core/rendering.ts';
import type { Bytes, Fate, Ms } from '../../base/core/types.ts';

/** Pages that a browser rendered, as the fates have them. */
export interface RenderedPages {
  readonly pages: number;
  /** Numbers by ground, the most frequent first. */
  readonly because: Readonly<Partial<Record<RenderGround, number>>>;
  /** Pages that are judged and kept by the rendered document. */
  readonly used: number;
  /** Median of the main text that these gained, in UTF-16 units, and of their links; null without any. */
  readonly medianGain: { readonly text: number; readonly links: number } | null;
  /** Numbers by trouble, the most frequent first. */
  readonly troubles: Readonly<Partial<Record<RenderTrouble, number>>>;
  /** Mean time of a rendering; null without any. */
  readonly msAPage: Ms | null;
  /** Requests that were sent for them, and bytes of the answers. */
  readonly requests: number;
  readonly bytes: Bytes;
}

/** Counts fates, one at a time. */
export class RenderingTally {
  readonly #because = new Map<RenderGround, number>();
  readonly #troubles = new Map<RenderTrouble, number>();
  readonly #textGains: number[] = [];
  readonly #linkGains: number[] = [];
  #pages = 0;
  #ms = 0;
  #requests = 0;
  #bytes = 0;

  add({ rendered }: Pick<Fate, 'rendered'>): void {
    if (rendered === undefined) return;
    const { because, trouble, used, ms, requests, bytes, text, links } = rendered;
    this.#pages += 1;
    this.#ms += ms;
    this.#requests += requests;
    this.#bytes += bytes;
    countIn(this.#because, because);
    if (trouble !== undefined) countIn(this.#troubles, trouble);
    if (!used) return;
    this.#textGains.push(gainOf(text));
    this.#linkGains.push(gainOf(links));
  }

  counts(): RenderedPages {
    const isNone = this.#textGains.length === 0;
    return {
      pages: this.#pages,
      because: sorted(this.#because),
      used: this.#textGains.length,
      medianGain: isNone ? null : { text: medianOf(this.#textGains), links: medianOf(this.#linkGains) },
      troubles: sorted(this.#troubles),
      msAPage: this.#pages === 0 ? null : Math.round(this.#ms / this.#pages),
      requests: this.#requests,
      bytes: this.#bytes,
    };
  }
}

/** @param pair the number without scripts, and with them */
function gainOf([plain, rendered]: readonly [number, number | null]): number {
  return (rendered ?? plain) - plain;
}

function countIn<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function sorted<K extends string>(counts: ReadonlyMap<K, number>): Readonly<Partial<Record<K, number>>> {
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a)) as Partial<Record<K, number>>;
}

/** The lower one of two in the middle. @param values at least one */
function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0;
}
