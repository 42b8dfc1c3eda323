/** Rendered pages made by hand. */
import { createHash } from 'node:crypto';
import type { RenderedDocument } from '../../../src/base/core/rendering.ts';
import type { CorpusRecord, FetchedPage } from '../../../src/base/core/types.ts';
import type { FileCorpusWriter } from '../../../src/corpus/records/corpus-writer.ts';
import { pageOf, recordOf } from './samples.ts';

export const COST = { ms: 340, requests: 2, bytes: 2048 };
/** The response of each page of the application. */
export const SHELL = '<!doctype html><div id="root"></div><script src="/app.js"></script>';

export function fileOf(url: string, type: string, body: string): FetchedPage {
  return pageOf(url, body, { rawHeaders: [['Content-Type', type]] });
}

/** The script of the application, which its pages share. */
export function appScript(): FetchedPage {
  return fileOf('http://orchard.example/app.js', 'application/javascript', 'draw()');
}

/** The answer that has the text of a page. */
export function answerOf(page: string, text: string): FetchedPage {
  return fileOf(`http://orchard.example/api/${page}`, 'application/json', JSON.stringify({ text }));
}

export interface RenderedSample {
  readonly record: CorpusRecord;
  readonly page: FetchedPage;
  readonly document: RenderedDocument;
}

/** A page whose text is in an answer to its script. @param name its path, or a route such as `#/apple` */
export function renderedOf(name: string, text: string, script: FetchedPage, over: Partial<FetchedPage> = {}): RenderedSample {
  const page = pageOf(`http://orchard.example/${name}`, SHELL, over);
  const html = Buffer.from(
    `<!doctype html><html lang="en"><head><title>${name}</title></head><body><nav><a href="/${name}/more">More</a></nav><main><p>${text}</p></main></body></html>`,
  );
  const payloadSha256 = createHash('sha256').update(html).digest('hex');
  const record = recordOf(page, { title: name, text, payloadSha256, rendered: COST });
  return { record, page, document: { html, resources: [script, answerOf(name, text)] } };
}

export function appendRendered(writer: FileCorpusWriter, samples: readonly RenderedSample[]): void {
  for (const sample of samples) writer.append({ kind: 'page', ...sample });
}
