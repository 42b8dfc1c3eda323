/** Parts of a Word file by the relationships between them (Office Open XML, ISO/IEC 29500-2 §9). */
import { entryName, type OfficePackage } from '../../office-package.ts';
import { attribute, descendants } from '../../xml-tree.ts';

/** A part, or an address outside of the file. */
export interface Relationship {
  readonly id: string;
  /** The last word of its type: `hyperlink`, `footnotes`. */
  readonly type: string;
  readonly target: string;
  readonly isExternal: boolean;
}

/** Relationships of a part; '' is the file itself. */
export function relationshipsOf(file: OfficePackage, part: string): readonly Relationship[] {
  const slash = part.lastIndexOf('/') + 1;
  const root = file.optionalXml(`${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`);
  return descendants(root, 'relationship').map((element) => {
    const isExternal = attribute(element, 'targetmode')?.toLowerCase() === 'external';
    const target = attribute(element, 'target') ?? '';
    const type = (attribute(element, 'type') ?? '').split('/').at(-1)?.toLowerCase() ?? '';
    return { id: attribute(element, 'id') ?? '', type, target: isExternal ? target : entryName(target, part), isExternal };
  });
}

/** Targets of links of a part by their ids. */
export function linksOf(file: OfficePackage, part: string): ReadonlyMap<string, string> {
  return new Map(relationshipsOf(file, part).flatMap(({ id, target, isExternal }) => (isExternal ? [[id, target] as const] : [])));
}

/** The name of the first part of a type; the usual one if nothing names it. */
export function partOfType(relationships: readonly Relationship[], type: string, usual: string): string {
  return relationships.find((one) => one.type === type && !one.isExternal)?.target ?? usual;
}
