import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse, stringify } from 'yaml';
import { bearer, startSampleHttp } from './support/http/http-kit.ts';
import { findProgram, needing } from './support/program.ts';

const folder = 'deploy/monitoring';
const read = (name: string) => readFileSync(`${folder}/${name}`, 'utf8');
const promtool = findProgram('promtool');
const systemdAnalyze = findProgram('systemd-analyze');

const run = (program: string, args: string[], cwd = '.') => {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  return { status, said: `${stdout}${stderr}` };
};

interface Panel {
  title: string;
  targets: { expr: string }[];
}
const dashboard: { panels: Panel[] } = JSON.parse(read('grafana-dashboard.json'));
const shown = dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })));
const rules: { groups: { rules: { alert: string; expr: string }[] }[] } = parse(
  read('prometheus-rules.yaml'),
);
const alerts = rules.groups.flatMap((group) => group.rules);

describe('alert rules and dashboard', () => {
  /** Every metric with its labels, as docs/metrics.md lists them; a test compares that list with what is served. */
  const metrics = new Map(
    [...readFileSync('docs/metrics.md', 'utf8').matchAll(/^- `(\w+)(?:\{(.*?)\})?`/gm)].map(
      ([, name = '', labels = '']) => [name, labels.split(',').map((label) => label.trim())],
    ),
  );
  /** Added by Prometheus. */
  const added = ['instance', 'job', 'le'];
  const summedAway = 'clinic';

  /** The metrics of an expression, and every label it names. */
  function namesIn(expr: string) {
    const bare = expr.replace(/"[^"]*"/g, '""');
    const names = [...bare.matchAll(/\b(?:clinic_sync|process|nodejs)_\w+/g)].map(([name]) =>
      name.replace(/_(bucket|count|sum)$/, ''),
    );
    const inBraces = [...bare.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*""/g)].map(([, label = '']) => label);
    const grouped = [...bare.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/, */));
    return { names, labels: [...inBraces, ...grouped] };
  }

  it.each([...shown, ...alerts.map(({ alert, expr }) => ({ title: alert, expr }))])(
    'name metrics and labels that exist: $title',
    ({ expr }) => {
      const { names, labels } = namesIn(expr);
      const known = names.flatMap((name) => metrics.get(name) ?? []);

      if (expr !== 'up{job="clinic-sync"} == 0') expect(names).not.toEqual([]);
      expect(names.filter((name) => !metrics.has(name))).toEqual([]);
      expect(labels.filter((label) => ![...known, ...added].includes(label))).toEqual([]);
      // Without http.metrics.per_clinic this label is not there.
      expect(labels).not.toContain(summedAway);
    },
  );

  it.skipIf(!promtool)(`are Prometheus' language${needing('promtool', promtool)}`, () => {
    const place = mkdtempSync(join(tmpdir(), 'rules-'));
    onTestFinished(() => rmSync(place, { recursive: true }));
    const recorded = shown.map(({ expr }, n) => ({
      ...{ record: `panel_${n}`, expr: expr.replaceAll('$instance', '.*') },
    }));
    writeFileSync(join(place, 'panels.yaml'), stringify({ groups: [{ name: 'panels', rules: recorded }] }));

    expect(run('promtool', ['check', 'rules', join(place, 'panels.yaml')])).toMatchObject({ status: 0 });
    expect(run('promtool', ['check', 'rules', 'prometheus-rules.yaml'], folder)).toMatchObject({ status: 0 });
  });

  it.skipIf(!promtool)(`alarm when they should, and only then${needing('promtool', promtool)}`, () => {
    const tested = new Set(
      parse(read('prometheus-rules.test.yaml')).tests.flatMap(
        (one: { alert_rule_test: { alertname: string; exp_alerts?: [] }[] }) =>
          one.alert_rule_test.filter(({ exp_alerts }) => exp_alerts).map(({ alertname }) => alertname),
      ),
    );

    expect(run('promtool', ['test', 'rules', 'prometheus-rules.test.yaml'], folder)).toMatchObject({
      status: 0,
      said: expect.stringContaining('SUCCESS'),
    });
    expect([...tested].sort()).toEqual(alerts.map(({ alert }) => alert).sort());
  });
});

describe('snippets for watchers', () => {
  let answers: Map<string, Record<string, unknown>>;
  beforeAll(async () => {
    const http = await startSampleHttp();
    const get = async (path: string, headers: Record<string, string> = {}) =>
      (await (await fetch(`${http.url}${path}`, { headers })).json()) as Record<string, unknown>;
    answers = new Map([
      ['/readyz', await get('/readyz')],
      ['/syncz', await get('/syncz')],
      ['/status.json', await get('/status.json', bearer)],
    ]);
    await http.stop();
  });

  it('ask Gatus for fields that the answers have', () => {
    const { endpoints }: { endpoints: { url: string; conditions: string[] }[] } = parse(read('gatus.yaml'));

    for (const { url, conditions } of endpoints)
      for (const [, field = ''] of conditions.join('\n').matchAll(/\[BODY\]\.(\w+)/g))
        expect(answers.get(new URL(url).pathname), url).toHaveProperty(field);
  });

  it('give Home Assistant no key that its `rest` integration refuses', () => {
    const { rest } = parse(read('home-assistant.yaml'), { logLevel: 'silent' });
    // As homeassistant/components/rest/schema.py has them; one unknown key and none of the file is loaded.
    const entity = ['name', 'unique_id', 'icon', 'picture', 'availability', 'device_class', 'value_template'];
    const keys = {
      sensor: [...entity, 'force_update', 'state_class', 'unit_of_measurement', 'json_attributes'],
      binary_sensor: [...entity, 'force_update'],
    };

    for (const one of rest) {
      const { sensor, binary_sensor, ...more } = one;
      expect(Object.keys(more)).toEqual(['resource', 'scan_interval', 'headers']);
      for (const each of sensor) expect(keys.sensor).toEqual(expect.arrayContaining(Object.keys(each)));
      for (const each of binary_sensor)
        expect(keys.binary_sensor).toEqual(expect.arrayContaining(Object.keys(each)));
    }
  });

  it('ask Home Assistant for fields that the answers have', () => {
    const { rest } = parse(read('home-assistant.yaml'), { logLevel: 'silent' });
    const [{ resource, sensor, binary_sensor }] = rest;
    const answer = answers.get(new URL(resource).pathname);

    const fields = [...JSON.stringify([sensor, binary_sensor]).matchAll(/value_json\.(\w+)/g)];
    expect(fields.length).toBeGreaterThan(4);
    for (const [, field = ''] of fields) expect(answer).toHaveProperty(field);
    expect(answer?.bookings).toContainEqual(expect.objectContaining({ today: expect.any(Number) }));
  });
});

describe('the systemd unit', () => {
  const unit = 'deploy/systemd/clinic-sync.service';

  it.skipIf(!systemdAnalyze)(`is right${needing('systemd-analyze', systemdAnalyze)}`, () => {
    const place = mkdtempSync(join(tmpdir(), 'unit-'));
    onTestFinished(() => rmSync(place, { recursive: true }));
    // The program it starts is not installed here.
    const text = readFileSync(unit, 'utf8').replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`);
    const file = join(place, 'clinic-sync.service');
    writeFileSync(file, text.replace(/^Documentation=.*$/m, ''));

    expect(run('systemd-analyze', ['verify', '--man=no', file])).toEqual({ status: 0, said: '' });
  });

  it.skipIf(!systemdAnalyze)(
    `leaves the service few rights${needing('systemd-analyze', systemdAnalyze)}`,
    () => {
      // Of 100 (10.0): a plain service has 96, and 20 passes for well protected.
      expect(run('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit])).toMatchObject({
        status: 0,
      });
    },
  );

  it('starts the program with the flags of the package, and is restarted unless a person is needed', () => {
    const text = readFileSync(unit, 'utf8');
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const [flag] = scripts.start.match(/--max-semi-space-size=\d+/) ?? [];

    expect(text).toContain(`${flag} /opt/clinic-sync/dist/main.js run`);
    expect(text).toMatch(/^RestartPreventExitStatus=64 78$/m);
    expect(text).toMatch(/^TimeoutStopSec=15$/m);
  });
});
