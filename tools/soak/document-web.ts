/** A web of which every third page is a PDF, and some others are books, Word documents and services, with the text and links of the page. */
import type { PageAnswer, PageSource } from '../../datasets/page-source.ts';
import { escapeSigns } from '../../src/base/text/escape-signs.ts';
import { pdfLines, writePdf } from '../../test/support/pdf-writer.ts';
import { zipFile } from '../../test/support/zip-file.ts';

/** Characters of a line, and lines of a page. */
const LINE = 80;
const LINES = 50;

interface PlainPage {
  readonly title: string;
  readonly lines: readonly string[];
  readonly links: readonly string[];
}

export function withDocuments(source: PageSource): PageSource {
  return changed(source, kindAt);
}

/** The web with each `every`th page as a PDF. */
export function withPdfs(source: PageSource, every: number): PageSource {
  return changed(source, (number) => (number % every === 0 ? pdfAnswer : null));
}

function changed(source: PageSource, kindOf: (number: number) => ((page: PlainPage) => PageAnswer) | null): PageSource {
  return {
    get(host, path) {
      const answer = source.get(host, path);
      const make = kindOf(Number(/\d+/.exec(path)?.[0] ?? 1));
      if (answer?.status !== 200 || make === null || !answer.headers['content-type']?.includes('html')) return answer;
      return make(plainPage(Buffer.from(answer.body).toString(), `http://${host}${path}`));
    },
  };
}

function kindAt(number: number): ((page: PlainPage) => PageAnswer) | null {
  if (number % 3 === 0) return pdfAnswer;
  if (number % 10 === 1) return bookAnswer;
  if (number % 10 === 4) return wordAnswer;
  return number % 20 === 7 ? serviceAnswer : null;
}

function plainPage(html: string, base: string): PlainPage {
  const title = /<title>([^<]*)/i.exec(html)?.[1] ?? '';
  const words = html
    .replace(/<(?:head|script|style)\b[\s\S]*?<\/(?:head|script|style)>/gi, '')
    .replace(/<[^>]*>/g, ' ')
    .split(/\s+/);
  const lines = [''];
  for (const word of words) {
    if ((lines.at(-1)?.length ?? 0) + word.length > LINE) lines.push('');
    lines.push(`${lines.pop() ?? ''} ${word}`.trim());
  }
  const links = Array.from(html.matchAll(/<a\s[^>]*href="?([^"\s>]+)/gi), ([, href = '']) => new URL(href, base).href);
  return { title, lines, links };
}

function answer(type: string, body: Uint8Array): PageAnswer {
  return { status: 200, headers: { 'content-type': type }, body };
}

function pdfAnswer({ title, lines, links }: PlainPage): PageAnswer {
  const pages = Math.ceil(Math.max(lines.length, links.length, 1) / LINES);
  const at = <T>(items: readonly T[], page: number) => items.slice(page * LINES, (page + 1) * LINES);
  const file = writePdf(
    Array.from({ length: pages }, (_, page) => ({
      texts: pdfLines(at(lines, page), { y: 780 }),
      links: at(links, page).map((uri, n) => ({ at: [50, 778 - 12 * n, 500, 789 - 12 * n] as const, uri })),
    })),
    { info: { Title: title } },
  );
  return answer('application/pdf', file);
}

function bookAnswer({ title, lines, links }: PlainPage): PageAnswer {
  const chapter = `<html><body><h1>${escapeSigns(title)}</h1><p>${escapeSigns(lines.join(' '))}</p>${links.map((url) => `<p><a href="${escapeSigns(url)}">on</a></p>`).join('')}</body></html>`;
  const book = `<package version="3.0"><metadata><title>${escapeSigns(title)}</title></metadata><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>`;
  const parts = { mimetype: 'application/epub+zip', 'META-INF/container.xml': CONTAINER, 'b.opf': book, 'a.xhtml': chapter };
  return answer('application/epub+zip', zipOf(parts));
}

const CONTAINER = '<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>';
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

function wordAnswer({ lines, links }: PlainPage): PageAnswer {
  const run = (text: string) => `<w:r><w:t>${escapeSigns(text)}</w:t></w:r>`;
  const linked = links.map((_, n) => `<w:p><w:hyperlink r:id="l${n}">${run('on')}</w:hyperlink></w:p>`).join('');
  const targets = links.map((url, n) => `<Relationship Id="l${n}" Type="hyperlink" Target="${escapeSigns(url)}" TargetMode="External"/>`);
  const parts = {
    '[Content_Types].xml': '<Types/>',
    'word/document.xml': `<w:document><w:body>${lines.map((line) => `<w:p>${run(line)}</w:p>`).join('')}${linked}</w:body></w:document>`,
    'word/_rels/document.xml.rels': `<Relationships>${targets.join('')}</Relationships>`,
  };
  return answer(WORD, zipOf(parts));
}

function serviceAnswer({ title, lines, links }: PlainPage): PageAnswer {
  const description = [...lines, ...links.map((url) => `[on](${url})`)].join('\n\n');
  const service = { openapi: '3.1.0', info: { title, version: '1', description }, paths: { '/pages': { get: { summary: title } } } };
  return answer('application/json', Buffer.from(JSON.stringify(service)));
}

function zipOf(parts: Readonly<Record<string, string>>): Uint8Array {
  return zipFile(Object.entries(parts).map(([name, data]) => ({ name, data, stored: name === 'mimetype' })));
}
