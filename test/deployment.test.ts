import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { runCommand } from './support/run-cli.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

// biome-ignore lint/suspicious/noExplicitAny: manifests of several kinds, of which a test looks at what it names.
type Manifest = any;

describe('compose.fleet.yaml', () => {
  const compose: Manifest = parse(read('compose.fleet.yaml'), { merge: true });
  const names = ['clinic-sync-1', 'clinic-sync-2', 'clinic-sync-3'];
  const daemons: Manifest[] = names.map((name) => compose.services[name]);

  it('has three daemons with names that stay, the rights of the single one, and all secrets it names', () => {
    const single: Manifest = parse(read('compose.yaml'));
    const { read_only, cap_drop, security_opt, mem_limit, pids_limit } = single.services['clinic-sync'];

    expect(daemons.map(({ hostname }) => hostname)).toEqual(names);
    for (const daemon of daemons)
      expect(daemon).toMatchObject({ read_only, cap_drop, security_opt, mem_limit, pids_limit });
    expect(daemons[0].build).toEqual(single.services['clinic-sync'].build);
    const used = Object.values<Manifest>(compose.services).flatMap(({ secrets = [] }) => secrets);
    expect([...new Set(used)].toSorted()).toEqual(Object.keys(compose.secrets).toSorted());
  });

  it('gives the load balancer these daemons', () => {
    expect(read('deploy/Caddyfile')).toContain(names.map((name) => `${name}:8080`).join(' '));
  });
});

describe('the manifests for Kubernetes', () => {
  const files = globSync('deploy/kubernetes/*.yaml').toSorted();
  const manifests: Manifest[] = files.flatMap((file) =>
    parseAllDocuments(read(file)).map((one) => one.toJS()),
  );
  const of = (kind: string): Manifest => manifests.find((manifest) => manifest.kind === kind);
  const { spec } = of('StatefulSet');
  const [container] = spec.template.spec.containers;

  it('are whole: the kustomization lists all but the example, and everything selects the same pods', () => {
    const listed = files
      .map((file) => file.split('/').at(-1))
      .filter((file) => !/^(kustom|secret)/.test(file ?? ''));
    const label = { 'app.kubernetes.io/name': 'clinic-sync' };

    expect(of('Kustomization').resources.toSorted()).toEqual(listed);
    expect(spec.template.metadata.labels).toEqual(label);
    expect(spec.selector.matchLabels).toEqual(label);
    expect(of('PodDisruptionBudget').spec.selector.matchLabels).toEqual(label);
    for (const service of manifests.filter(({ kind }) => kind === 'Service'))
      expect(service.spec.selector).toEqual(label);
    expect(manifests.map(({ metadata }) => metadata?.name)).toContain(spec.serviceName);
  });

  it('give a pod no rights, and ask the right doors', () => {
    expect(spec.template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(container.securityContext).toEqual({
      ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
    });
    expect([container.livenessProbe, container.readinessProbe].map(({ httpGet }) => httpGet.path)).toEqual([
      '/livez',
      '/readyz',
    ]);
    const mounted = container.volumeMounts.map(({ name }: Manifest) => name);
    expect(mounted).toEqual(spec.template.spec.volumes.map(({ name }: Manifest) => name));
  });

  it('have a configuration that is right with the secrets of the example', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'manifests-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const secrets: Record<string, string> = of('Secret').stringData;
    for (const [name, value] of Object.entries(secrets)) writeFileSync(join(folder, name), value);
    const config = join(folder, 'clinic-sync.yaml');
    const text: string = of('ConfigMap').data['clinic-sync.yaml'];
    writeFileSync(config, text.replaceAll('/run/secrets/clinic-sync', folder));

    const { code, out, err } = await runCommand(['config', 'check', '--config', config]);

    expect({ code, err }, out).toMatchObject({ code: 0 });
  });
});
