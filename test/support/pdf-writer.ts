/** Small PDFs, written by hand: text at places, links, metadata. */
import { deflateSync } from 'node:zlib';

export interface PdfText {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly size?: number;
  /** Quarter turns to the left. */
  readonly turn?: number;
}

export interface PdfLink {
  readonly at: readonly [left: number, bottom: number, right: number, top: number];
  readonly uri: string;
}

export interface PdfPage {
  readonly texts: readonly PdfText[];
  readonly links?: readonly PdfLink[];
  /** Rotation of the page when it is shown, in degrees. */
  readonly rotate?: number;
}

export interface PdfOptions {
  readonly info?: Readonly<Record<string, string>>;
  readonly language?: string;
  /** Wants a password that nobody knows. */
  readonly encrypted?: true;
  /** Entries of the catalogue, e.g. an action. */
  readonly catalogue?: string;
}

/** A4. */
const [WIDTH, HEIGHT] = [595, 842];
/** Each character is half as wide as it is high. */
const CHARACTER_WIDTH = 500;
const TO_UNICODE = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def
1 begincodespacerange <0000> <FFFF> endcodespacerange
1 beginbfrange <0000> <FFFF> <0000> endbfrange
endcmap end end`;

/** A PDF whose characters are those of the texts, in the order in which they are given. */
export function writePdf(pages: readonly PdfPage[], options: PdfOptions = {}): Buffer {
  const objects: string[] = [];
  const add = (body: string) => objects.push(body);
  const catalogue = add('');
  const tree = add('');
  const toUnicode = add(stream(TO_UNICODE));
  const child = add(
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Plain /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW ${CHARACTER_WIDTH} /FontDescriptor ${objects.length + 2} 0 R >>`,
  );
  add(
    '<< /Type /FontDescriptor /FontName /Plain /Flags 4 /FontBBox [0 -200 1000 800] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
  );
  const font = add(
    `<< /Type /Font /Subtype /Type0 /BaseFont /Plain /Encoding /Identity-H /DescendantFonts [${child} 0 R] /ToUnicode ${toUnicode} 0 R >>`,
  );
  const kids = pages.map((page) => {
    const contents = add(stream(page.texts.map(shown).join('\n')));
    const annots = (page.links ?? []).map(({ at, uri }) =>
      add(`<< /Type /Annot /Subtype /Link /Rect [${at.join(' ')}] /A << /S /URI /URI (${uri.replace(/[()\\]/g, '\\$&')}) >> >>`),
    );
    return add(
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Rotate ${page.rotate ?? 0} /Contents ${contents} 0 R /Resources << /Font << /F ${font} 0 R >> >> /Annots [${annots.map((one) => `${one} 0 R`).join(' ')}] >>`,
    );
  });
  objects[tree - 1] = `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((one) => `${one} 0 R`).join(' ')}] >>`;
  const lang = options.language === undefined ? '' : `/Lang (${options.language})`;
  objects[catalogue - 1] = `<< /Type /Catalog /Pages ${tree} 0 R ${lang} ${options.catalogue ?? ''} >>`;
  const info = add(
    `<< ${Object.entries(options.info ?? {})
      .map(([name, value]) => `/${name} ${hexText(value)}`)
      .join(' ')} >>`,
  );
  const key = '00'.repeat(32);
  const security = options.encrypted ? `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${key}> /U <${key}> /P -4 >> /ID [<00> <00>]` : '';
  return assembled(objects, `/Root ${catalogue} 0 R /Info ${info} 0 R ${security}`);
}

/** Lines of one text, one below the other. */
export function pdfLines(lines: readonly string[], { x = 50, y = 700, size = 10, pitch = 12 } = {}): PdfText[] {
  return lines.map((text, at) => ({ x, y: y - at * pitch, text, size }));
}

function shown({ x, y, text, size = 10, turn = 0 }: PdfText): string {
  const [cos = 1, sin = 0] =
    [
      [1, 0],
      [0, 1],
      [-1, 0],
      [0, -1],
    ][turn] ?? [];
  return `BT /F ${size} Tf ${cos} ${sin} ${-sin} ${cos} ${x} ${y} Tm <${utf16(text)}> Tj ET`;
}

function utf16(text: string): string {
  return Buffer.from(text, 'utf16le').swap16().toString('hex');
}

function hexText(text: string): string {
  return `<feff${utf16(text)}>`;
}

function stream(content: string): string {
  const packed = deflateSync(content).toString('latin1');
  return `<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n${packed}\nendstream`;
}

function assembled(objects: readonly string[], trailer: string): Buffer {
  let file = '%PDF-1.7\n';
  const places = objects.map((body, at) => {
    const place = file.length;
    file += `${at + 1} 0 obj\n${body}\nendobj\n`;
    return place;
  });
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const xref = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} ${trailer} >>\nstartxref\n${xref}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}
