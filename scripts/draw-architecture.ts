// Writes docs/images/architecture.svg from the real imports; test/architecture-picture.test.ts fails if it is outdated.
import { writeFileSync } from 'node:fs';
import { moduleImports, rings } from '../test/support/architecture/rings.ts';

const WIDTH = 1240;
const LEFT = 120;
const RIGHT = WIDTH - 16;
const BOX = { width: 86, height: 42 };
const BAR_HEIGHT = 34;
const ROW = 92;
const NARROW_ROW = 68;
const TOP = 20;
/** Distance between the two lines of the widest row. */
const STAGGER = BOX.height + 26;
const GAP = 60;
/** Largest distance between arrows at a box. */
const PORT_GAP = 11;

/** Imported by nearly everything, so drawn as bars without arrows. */
const foundations = new Set(['src/texts', 'src/platform', 'src/domain']);

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const imports = moduleImports();
const aboveFoundation = (module: string) =>
  (imports.get(module) ?? []).filter((other) => !foundations.has(other));

/** Arrows that are not implied by a chain of other arrows. */
function drawnArrows(): [from: string, to: string][] {
  const reaches = (from: string, to: string): boolean =>
    aboveFoundation(from).some((next) => next === to || reaches(next, to));
  return [...imports.keys()].flatMap((from) => {
    const direct = aboveFoundation(from);
    return direct
      .filter((to) => !direct.some((other) => other !== to && reaches(other, to)))
      .map((to): [string, string] => [from, to]);
  });
}

const arrows = drawnArrows();
const rows = rings.toReversed();
const widest = rows.reduce((most, row) => (row.modules.length > most.modules.length ? row : most));

const spread = (count: number, index: number): number =>
  LEFT + (RIGHT - LEFT) * ((index + 0.5) / Math.max(count, 1));

const ordered = [...widest.modules].sort(
  (a, b) => Number(b.startsWith('connectors/')) - Number(a.startsWith('connectors/')),
);
/** Every other box of the widest row is in its lower line, between those of the upper one. */
const isLower = (module: string): boolean => ordered.indexOf(module) % 2 === 1;
const isUpper = (module: string): boolean => ordered.indexOf(module) % 2 === 0;

/** Spreads the widest row evenly, connectors first; every other box sits near the boxes it is joined to. */
function columns(): Map<string, number> {
  const x = new Map<string, number>();
  for (const [index, module] of ordered.entries()) x.set(module, spread(ordered.length, index));

  const middle = rows.indexOf(widest);
  const outwards = [...rows.slice(middle + 1), ...rows.slice(0, middle).toReversed()];
  for (const { modules } of outwards) {
    const wanted = modules
      .map((module) => ({ module, x: meanOfNeighbours(module, x) }))
      .sort((a, b) => a.x - b.x);
    let free = LEFT + BOX.width / 2;
    for (const one of wanted) {
      one.x = Math.max(one.x, free);
      free = one.x + BOX.width + GAP;
    }
    let end = RIGHT - BOX.width / 2;
    for (const one of wanted.toReversed()) {
      x.set(one.module, Math.min(one.x, end));
      end = Math.min(one.x, end) - BOX.width - GAP;
    }
  }
  return x;
}

function meanOfNeighbours(module: string, x: ReadonlyMap<string, number>): number {
  const found = arrows
    .filter((arrow) => arrow.includes(module))
    .map(([from, to]) => x.get(from === module ? to : from))
    .filter((at) => at !== undefined);
  return found.length === 0 ? (LEFT + RIGHT) / 2 : found.reduce((sum, at) => sum + at, 0) / found.length;
}

/** The position of every module and ring line, and the total height. */
function layout(): { boxes: Map<string, Box>; lines: { name: string; y: number }[]; height: number } {
  const x = columns();
  const boxes = new Map<string, Box>();
  const lines: { name: string; y: number }[] = [];
  let y = TOP;
  for (const { name, modules } of rows) {
    if (lines.at(-1)?.name !== name) lines.push({ name, y });
    const isBar = modules.every((module) => foundations.has(module));
    for (const module of modules)
      boxes.set(module, boxOf(module, { isBar, center: x.get(module) ?? LEFT, y }));
    if (modules === widest.modules) y += STAGGER;
    y += isBar ? BAR_HEIGHT + 14 : modules.length > 1 ? ROW : NARROW_ROW;
  }
  return { boxes, lines, height: y + 4 };
}

const boxOf = (module: string, at: { isBar: boolean; center: number; y: number }): Box =>
  at.isBar
    ? { x: LEFT, y: at.y, width: RIGHT - LEFT, height: BAR_HEIGHT }
    : { ...BOX, x: at.center - BOX.width / 2, y: at.y + (isLower(module) ? STAGGER : 0) };

const round = (value: number) => Math.round(value * 10) / 10;

/** Where an arrow leaves or enters a box: arrows share an edge, ordered by their other end. */
function portOf(module: string, edge: 'from' | 'to', other: string, boxes: ReadonlyMap<string, Box>): number {
  const centerOf = (name: string) => {
    const box = boxes.get(name);
    return box === undefined ? 0 : box.x + box.width / 2;
  };
  const others = arrows
    .filter(([from, to]) => (edge === 'from' ? from : to) === module)
    .map(([from, to]) => (edge === 'from' ? to : from))
    .sort((a, b) => centerOf(a) - centerOf(b));
  const box = boxes.get(module);
  if (box === undefined) return 0;
  const usable = Math.min(box.width - 16, PORT_GAP * others.length);
  return box.x + (box.width - usable) / 2 + usable * ((others.indexOf(other) + 0.5) / others.length);
}

function arrowPath([from, to]: [string, string], boxes: ReadonlyMap<string, Box>): string {
  const start = boxes.get(from);
  const end = boxes.get(to);
  if (start === undefined || end === undefined) return '';
  const x1 = round(portOf(from, 'from', to, boxes));
  const x2 = round(portOf(to, 'to', from, boxes));
  const y1 = round(start.y + start.height);
  const y2 = round(end.y - 5);
  // Straight past the other line of the widest row.
  const from1 = isUpper(from) ? y1 + STAGGER : y1;
  const to2 = isLower(to) ? y2 - STAGGER : y2;
  const bend = round(Math.min((to2 - from1) * 0.55, 60));
  const line = (from: number, to: number) => (from === to ? '' : `V${to}`);
  const curve = `C${x1} ${from1 + bend} ${x2} ${to2 - bend} ${x2} ${to2}`;
  return `<path class="arrow" d="M${x1} ${y1}${line(y1, from1)}${curve}${line(to2, y2)}" marker-end="url(#head)"/>`;
}

function moduleBox([module, box]: [string, Box]): string {
  const [, folder = '', name = module] = /^(.*\/)([^/]+)$/.exec(module) ?? [];
  const centerX = round(box.x + box.width / 2);
  const isBar = foundations.has(module);
  const used = [...imports.values()].filter((all) => all.includes(module)).length;
  const label = isBar
    ? `<text x="${centerX}" y="${box.y + 21}"><tspan ` +
      `class="folder">${folder}</tspan>${name}<tspan class="folder"> · imported by ${used} ` +
      'modules</tspan></text>'
    : `<text class="folder" x="${centerX}" ` +
      `y="${box.y + 16}">${folder}</text><text x="${centerX}" ` +
      `y="${box.y + 32}">${name}</text>`;
  return (
    `<g class="${isBar ? 'bar' : 'box'}" data-module="${module}" ` +
    `data-imports="${(imports.get(module) ?? []).join(' ')}"><rect x="${round(box.x)}" ` +
    `y="${box.y}" width="${box.width}" height="${box.height}" rx="6"/>${label}</g>`
  );
}

const STYLE = `
  .page { fill: #ffffff } .ring { stroke: #d7dde4; stroke-dasharray: 2 4 } .name { fill: #5b6673; font-weight: 600; text-anchor: start }
  .box rect { fill: #eef4fb; stroke: #3d6ea5 } .bar rect { fill: #f3efe4; stroke: #94814d }
  text { fill: #17212b; font: 11.5px system-ui, sans-serif; text-anchor: middle } .folder { fill: #5b6673; font-size: 10px }
  .arrow { fill: none; stroke: #5f7d9e; stroke-width: 1.2 } .head { fill: #5f7d9e }
  @media (prefers-color-scheme: dark) {
    .page { fill: #11171e } .ring { stroke: #2d3845 } .name { fill: #a3b0bf }
    .box rect { fill: #1b2a3b; stroke: #6fa3dc } .bar rect { fill: #2b2718; stroke: #b9a56a }
    text { fill: #e6edf5 } .folder { fill: #a3b0bf }
    .arrow { stroke: #8aa9cb } .head { fill: #8aa9cb }
  }`;

const { boxes, lines, height } = layout();
const svg = [
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" ` +
    'aria-label="The modules of clinic-sync and which imports which">',
  `<style>${STYLE}\n</style>`,
  '<defs><marker id="head" viewBox="0 0 8 8" refX="3" refY="4" markerWidth="7" markerHeight="7" ' +
    'orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker></defs>',
  `<rect class="page" width="${WIDTH}" height="${height}" rx="8"/>`,
  ...lines.flatMap(({ name, y }) => [
    ...(y > TOP ? [`<path class="ring" d="M12 ${y - 8}H${RIGHT}"/>`] : []),
    `<text class="name" x="14" y="${y + 22}">${name}</text>`,
  ]),
  ...arrows.map((arrow) => arrowPath(arrow, boxes)),
  ...[...boxes].map(moduleBox),
  '</svg>',
];
writeFileSync('docs/images/architecture.svg', `${svg.join('\n')}\n`);
