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

const single = 'deploy/kubernetes/clinic-sync.yaml';
const manifestsIn = (file: string): Manifest[] => parseAllDocuments(read(file)).map((one) => one.toJS());

/** What `config check` says of a ConfigMap, with these secrets where it expects them. */
async function checked(configMap: Manifest, secrets: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'manifests-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, value] of Object.entries(secrets)) writeFileSync(join(folder, name), value);
  const config = join(folder, 'clinic-sync.yaml');
  const text: string = configMap.data['clinic-sync.yaml'];
  writeFileSync(config, text.replaceAll('/run/secrets/clinic-sync', folder));
  return runCommand(['config', 'check', '--config', config]);
}

describe('the manifest for one pod', () => {
  const manifests = manifestsIn(single);
  const [configMap, service, { spec }]: Manifest[] = manifests;
  const pod = spec.template.spec;
  const [container] = pod.containers;
  const fleet = manifestsIn('deploy/kubernetes/statefulset.yaml')[0].spec.template.spec;

  it('has one daemon, on a disk that no second pod can mount', () => {
    expect(manifests.map(({ kind }) => kind)).toEqual(['ConfigMap', 'Service', 'StatefulSet']);
    expect(spec.replicas).toBe(1);
    expect(spec.serviceName).toBe(service.metadata.name);
    expect(spec.selector.matchLabels).toEqual(service.spec.selector);
    expect(spec.template.metadata.labels).toEqual(service.spec.selector);
    const [{ metadata, spec: claim }] = spec.volumeClaimTemplates;
    expect(claim.accessModes).toEqual(['ReadWriteOncePod']);
    const mounts: Manifest[] = container.volumeMounts;
    expect(mounts.map(({ name }) => name)).toEqual([
      ...pod.volumes.map(({ name }: Manifest) => name),
      metadata.name,
    ]);
    const kept = mounts.find(({ name }) => name === metadata.name).mountPath;
    expect(read('Dockerfile')).toContain(`VOLUME ["${kept}", "/config"]`);
  });

  it('gives it as few rights as the others have, the doors of the image, and time to end', () => {
    const { fsGroupChangePolicy: _policy, ...rights } = pod.securityContext;
    expect(rights).toEqual(fleet.securityContext);
    expect(container.securityContext).toEqual(fleet.containers[0].securityContext);
    expect(container.livenessProbe).toEqual(fleet.containers[0].livenessProbe);
    expect(container.readinessProbe.httpGet).toEqual(fleet.containers[0].readinessProbe.httpGet);
    expect(read('Dockerfile')).toContain(`EXPOSE ${container.ports[0].containerPort}`);
    const grace = parse(read('compose.yaml')).services['clinic-sync'].stop_grace_period;
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(Number.parseInt(grace, 10));
  });

  it('has a configuration that is right with the secrets that its command makes', async () => {
    const names = [...read(single).matchAll(/--from-file=(\w+)/g)].map(([, name = '']) => name);
    const secrets = Object.fromEntries(names.map((name) => [name, `${name}-lantern-river-otter-7`]));

    const { code, out, err } = await checked(configMap, secrets);

    expect({ code, err }, out).toMatchObject({ code: 0 });
  });
});

describe('the manifests for Kubernetes', () => {
  const files = globSync('deploy/kubernetes/*.yaml')
    .filter((file) => file !== single)
    .toSorted();
  const manifests = files.flatMap(manifestsIn);
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
    const { code, out, err } = await checked(of('ConfigMap'), of('Secret').stringData);

    expect({ code, err }, out).toMatchObject({ code: 0 });
  });
});
