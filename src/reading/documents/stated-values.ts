/** Statements of properties in XML. */
import { squeeze } from '../../base/text/squeeze.ts';
import { descendants, textIn, type XmlElement } from './xml-tree.ts';

const MAX_AUTHORS = 100;

/** Text of the first element of a name; null without any. */
export function statedValue(root: XmlElement, name: string): string | null {
  return squeeze(textIn(descendants(root, name)[0])) || null;
}

/** Names of people in all elements of a name, which programs part by semicolons; each once. */
export function statedNames(root: XmlElement, name: string): readonly string[] {
  const names = descendants(root, name).flatMap((element) => textIn(element).split(';').map(squeeze));
  return [...new Set(names)].filter((one) => one !== '').slice(0, MAX_AUTHORS);
}
