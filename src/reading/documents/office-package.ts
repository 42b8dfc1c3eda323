/** A ZIP file whose entries are XML: EPUB, Word and OpenDocument. */
import { broken, encrypted } from './safe-reading.ts';
import { readXml, type XmlElement, type XmlTree } from './xml-tree.ts';
import { openZip, type ZipArchive } from './zip-reader.ts';

export class OfficePackage {
  readonly #archive: ZipArchive;

  /** @throws EndOfReading if the bytes are no ZIP file, or an encrypted one */
  constructor(bytes: Uint8Array) {
    if (isCompoundFile(bytes)) throw hasEncryptedPackage(bytes) ? encrypted() : broken('an OLE file, such as those of Word before 2007');
    const opening = openZip(bytes);
    if (opening.kind === 'failed') throw broken(opening.detail);
    this.#archive = opening.archive;
  }

  get names(): readonly string[] {
    return this.#archive.names;
  }

  has(name: string): boolean {
    return this.#archive.has(name);
  }

  /** Bytes of a part without which there is no document. @throws EndOfReading */
  needed(name: string): Uint8Array {
    const content = this.#archive.read(name);
    if (content.kind === 'read') return content.bytes;
    if (content.kind === 'encrypted') throw encrypted();
    throw broken(content.kind === 'failed' ? content.detail : `the file has no entry ${name.slice(0, 100)}`);
  }

  /** The bytes of a part; null if they are damaged. @throws for an encrypted one */
  intact(name: string): Uint8Array | null {
    const content = this.#archive.read(name);
    if (content.kind === 'encrypted') throw encrypted();
    return content.kind === 'read' ? content.bytes : null;
  }

  /** Tree of such a part. */
  neededXml(name: string, omitted?: ReadonlySet<string>): XmlTree {
    return readXml(this.needed(name), omitted);
  }

  /** Root of the tree of a part; an empty one if the part is absent or damaged: the document is read without it. */
  optionalXml(name: string, omitted?: ReadonlySet<string>): XmlElement {
    const content = this.#archive.read(name);
    return readXml(content.kind === 'read' ? content.bytes : new Uint8Array(), omitted).root;
  }
}

/** Compound files of [MS-CFB] §2.2: Word puts an encrypted document into one ([MS-OFFCRYPTO] §2.3.4.4), in an entry of this name. */
const COMPOUND_FILE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const ENCRYPTED_PACKAGE = Buffer.from('EncryptedPackage', 'utf16le');

export function isCompoundFile(bytes: Uint8Array): boolean {
  return COMPOUND_FILE.every((byte, i) => bytes[i] === byte);
}

export function hasEncryptedPackage(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(ENCRYPTED_PACKAGE);
}

/** The name of the entry that a reference in another entry means: `../text/a.xhtml` in `OPS/toc/nav.xhtml`. Without its fragment. */
export function entryName(reference: string, from: string): string {
  const [path = ''] = reference.split('#', 1);
  const written = path.startsWith('/') ? path : `${from.slice(0, from.lastIndexOf('/') + 1)}${path}`;
  const parts: string[] = [];
  for (const part of decoded(written).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
