import { escapeSigns } from '../../../../base/text/escape-signs.ts';
import { childAt, elementsOf, type XmlElement, type XmlNode } from '../../xml-tree.ts';

/** MathML of a formula; '' if the file is another object. @param root of its file */
export function mathmlHtml(root: XmlElement): string {
  const math = childAt(root, 'math');
  return math === undefined ? '' : written(math);
}

/** Elements of MathML are written by their names alone. The note in the language of the program that made it is omitted. */
function written(node: XmlNode): string {
  if (typeof node === 'string') return escapeSigns(node);
  if (node.name.startsWith('annotation') || !/^m[a-z]+$|^semantics$/.test(node.name)) return '';
  const content = node.children.map(written).join('');
  return `<${node.name}>${elementsOf(node).length > 0 ? content : content.trim()}</${node.name}>`;
}
