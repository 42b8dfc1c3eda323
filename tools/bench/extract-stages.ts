/** CPU time of our default mode by stage, beside a bare htmlparser2 SAX pass over the same pages. */
import { performance } from 'node:perf_hooks';
import { Parser } from 'htmlparser2';
import type { CanonicalUrl, Ms } from '../../src/base/core/types.ts';
import { decodeText } from '../../src/base/web/charset.ts';
import { canonicalize } from '../../src/base/web/url.ts';
import { outlinksOf } from '../../src/reading/extract/links.ts';
import { visibleBlocks } from '../../src/reading/extract/main-text.ts';
import { declaredBy } from '../../src/reading/extract/metadata.ts';
import { knownTags } from '../../src/reading/extract/tags.ts';
import { type ContentModel, type TokenSink, tokenize } from '../../src/reading/extract/tokenizer.ts';
import { CoreParser } from '../../src/reading/wasm-reader/core-parser.ts';
import { WasmCore } from '../../src/reading/wasm-reader/wasm-core.ts';
import { MODES, ourExtract, type PageInput, urlOr } from '../quality/extract-modes.ts';

/** Before the clock runs, at least twice every page: the compiler of a hot loop has then done its work. */
const WARM_UP_PAGES = 1_000;
const PASSES = 5;

/** Mean CPU time a page of each stage; of `PASSES` passes over all pages the median. */
export interface StageTimes {
  readonly stages: readonly { readonly name: string; readonly ms: Ms }[];
  readonly whole: Ms;
  /** htmlparser2 with handlers that do nothing; and without handlers, when it makes no attributes. */
  readonly sax: Ms;
  readonly saxBare: Ms;
  /** Of each page the median over the passes, wall time; the largest of these, and the largest seen at all. */
  readonly worst: Ms;
  readonly worstSeen: Ms;
}

interface Prepared extends PageInput {
  readonly at: CanonicalUrl;
  readonly text: string;
}

/** Gets ready off the clock what the stage needs. @returns what is timed. */
type Stage = (page: Prepared) => () => unknown;

/** Passes of the stages take turns, so that a slow minute of the machine falls on all of them. */
export function stageTimes(inputs: readonly PageInput[]): StageTimes {
  const pages = inputs.map(prepared);
  const times = new Map<string, Ms[]>();
  const walls: Ms[][] = pages.map(() => []);
  const warmUp = Math.max(2, Math.ceil(WARM_UP_PAGES / pages.length));
  // The tokenizer is timed apart and last: with a second kind of sink its calls are no longer those of a crawl.
  for (const group of [crawlStages(), tokenizerStage()]) {
    for (let pass = -warmUp; pass < PASSES; pass++) {
      for (const [name, stage] of Object.entries(group)) {
        const cpu = passOf(pages, stage, (i, wall) => {
          if (name === 'whole' && pass >= 0) walls[i]?.push(wall);
        });
        if (pass >= 0) times.set(name, [...(times.get(name) ?? []), cpu / pages.length]);
      }
    }
  }
  const ms = (name: string) => median(times.get(name) ?? []);
  return { ...separated(ms), worst: Math.max(...walls.map(median)), worstSeen: Math.max(...walls.flat()) };
}

function passOf(pages: readonly Prepared[], stage: Stage, onPage: (index: number, wall: Ms) => void): Ms {
  let total = 0;
  pages.forEach((page, i) => {
    const work = stage(page);
    const start = performance.now();
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    onPage(i, performance.now() - start);
    total += (user + system) / 1000;
  });
  return total;
}

/** Main text is what the whole takes beyond the rest. */
function separated(ms: (name: string) => Ms): Omit<StageTimes, 'worst' | 'worstSeen'> {
  const whole = ms('whole');
  const known = [
    { name: 'decode', ms: ms('decode') },
    { name: 'tokenize', ms: ms('tokenize') },
    { name: 'blocks, attributes, text', ms: ms('parse') - ms('tokenize') },
    { name: 'links', ms: ms('links') },
    { name: 'metadata, title, robots', ms: ms('metadata') },
  ];
  const rest = whole - known.reduce((sum, stage) => sum + stage.ms, 0);
  return { stages: [...known, { name: 'main text (the rest)', ms: rest }], whole, sax: ms('sax'), saxBare: ms('sax, no handlers') };
}

function crawlStages(): Record<string, Stage> {
  const parser = new CoreParser(new WasmCore());
  const whole = ourExtract(MODES[0] ?? 'none');
  return {
    decode:
      ({ body }) =>
      () =>
        decodeText(body, 'utf-8', true),
    parse:
      ({ text }) =>
      () =>
        parser.parse(text),
    links: ({ text, at }) => {
      const content = parser.parse(text);
      const roles = visibleBlocks(content.blocks);
      return () => outlinksOf(content, { url: at, charset: 'utf-8' }, roles, []);
    },
    metadata: ({ text, at }) => {
      const content = parser.parse(text);
      const elements = parser.elements(text);
      return () => declaredBy(content, () => elements, { url: at, charset: 'utf-8', headers: {} }, 'forager', Date.now());
    },
    whole: (page) => () => whole(page),
    sax:
      ({ text }) =>
      () =>
        new Parser(IDLE).end(text),
    'sax, no handlers':
      ({ text }) =>
      () =>
        new Parser({}).end(text),
  };
}

function tokenizerStage(): Record<string, Stage> {
  const deaf = new DeafSink();
  return {
    tokenize:
      ({ text }) =>
      () =>
        deaf.hear(text),
  };
}

const IDLE = { onopentag() {}, ontext() {}, onclosetag() {} };

/** Knows of each tag how its content is read, as a tokenizer must be told, and nothing else. */
class DeafSink implements TokenSink {
  readonly #tags = knownTags();
  #html = '';
  #content: ContentModel = 'data';

  hear(html: string): void {
    this.#html = html;
    tokenize(html, this);
  }
  text(): void {}
  startTag(start: number, end: number): void {
    this.#content = this.#tags.get(this.#html.slice(start, end))?.content ?? 'data';
  }
  attribute(): void {}
  startTagEnd(): ContentModel {
    return this.#content;
  }
  endTag(): void {}
  isForeign(): boolean {
    return false;
  }
}

function prepared(page: PageInput): Prepared {
  const at = canonicalize(urlOr(page.id, page.url)) ?? canonicalize('https://page.example/');
  if (at === null) throw new Error('no URL');
  return { ...page, at, text: decodeText(page.body, 'utf-8', true).text };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
