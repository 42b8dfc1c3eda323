/** Files of a network: GEXF 1.2, which NetworkX still reads, and GraphML for Gephi, NetworkX, igraph and Cytoscape; a table of edges for anything else. */
import { escapeSigns } from '../../base/text/escape-signs.ts';
import { csvCell } from '../../base/text/table-cells.ts';
import type { LinkNetwork, NetworkNode } from './link-network.ts';

export type NetworkFormat = 'csv' | 'gexf' | 'graphml';

/** Attributes of nodes, with their types in both XML formats. */
const ATTRIBUTES = [
  ['visited', 'integer', 'int'],
  ['kept', 'integer', 'int'],
  ['relevance', 'double', 'double'],
  ['depth', 'integer', 'int'],
] as const satisfies readonly (readonly [keyof NetworkNode, string, string])[];

/** The lines of a file, without line feeds. */
export function networkLines(network: LinkNetwork, format: NetworkFormat): Generator<string> {
  return WRITERS[format](network);
}

const WRITERS: Readonly<Record<NetworkFormat, (network: LinkNetwork) => Generator<string>>> = { csv, gexf, graphml };

/** The columns that Gephi expects in a table of edges. */
function* csv(network: LinkNetwork): Generator<string> {
  yield 'Source,Target,Weight';
  for (const { source, target, weight } of network.edges()) yield `${csvCell(source)},${csvCell(target)},${weight}`;
}

function* gexf(network: LinkNetwork): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>';
  yield '<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2"><graph defaultedgetype="directed"><attributes class="node">';
  for (const [name, type] of ATTRIBUTES) yield `<attribute id="${name}" title="${name}" type="${type}"/>`;
  yield '</attributes><nodes>';
  for (const node of network.nodes()) {
    const values = valuesOf(node).map(([name, value]) => `<attvalue for="${name}" value="${value}"/>`);
    yield `<node id="${escapeSigns(node.id)}" label="${escapeSigns(node.id)}"><attvalues>${values.join('')}</attvalues></node>`;
  }
  yield '</nodes><edges>';
  let id = 0;
  for (const { source, target, weight } of network.edges())
    yield `<edge id="${id++}" source="${escapeSigns(source)}" target="${escapeSigns(target)}" weight="${weight}"/>`;
  yield '</edges></graph></gexf>';
}

function* graphml(network: LinkNetwork): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>';
  yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">';
  for (const [name, , type] of ATTRIBUTES) yield `<key id="${name}" for="node" attr.name="${name}" attr.type="${type}"/>`;
  yield '<key id="weight" for="edge" attr.name="weight" attr.type="int"/><graph edgedefault="directed">';
  for (const node of network.nodes()) {
    const values = valuesOf(node).map(([name, value]) => `<data key="${name}">${value}</data>`);
    yield `<node id="${escapeSigns(node.id)}">${values.join('')}</node>`;
  }
  for (const { source, target, weight } of network.edges())
    yield `<edge source="${escapeSigns(source)}" target="${escapeSigns(target)}"><data key="weight">${weight}</data></edge>`;
  yield '</graph></graphml>';
}

function valuesOf(node: NetworkNode): (readonly [string, number])[] {
  return ATTRIBUTES.flatMap(([name]) => {
    const value = node[name];
    return value === null ? [] : [[name, value] as const];
  });
}
