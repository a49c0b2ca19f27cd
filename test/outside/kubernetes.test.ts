import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import JSON5 from 'json5';
import { parseAllDocuments } from 'yaml';
import { healthApi } from '../../src/adapters/apis/health/index.ts';
import { neededInPython, outputOf, whereIs } from './tools.ts';

const folder = 'ops/kubernetes';
const files = readdirSync(folder).map((name) => join(folder, name));

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Container {
  readonly image: string;
  readonly env?: readonly { readonly name: string }[];
  readonly ports: readonly { readonly containerPort: number }[];
  readonly lifecycle: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
}

interface Workload {
  readonly kind: string;
  readonly spec: {
    readonly replicas: number;
    readonly template: {
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly initContainers: readonly Container[];
        readonly containers: readonly [Container];
      };
    };
  };
}

function workloadIn(file: string): Workload {
  const all = parseAllDocuments(readFileSync(file, 'utf8'), { merge: true }).map((document) =>
    document.toJS(),
  );
  return all.find(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet') as Workload;
}

const settings = JSON5.parse(readFileSync('config/default.json5', 'utf8')) as {
  port: number;
  timeouts: { shutdown: number };
};
const variables = readFileSync('config/custom-environment-variables.json5', 'utf8');

describe('The manifests for Kubernetes', () => {
  for (const file of files) {
    const { kind, spec } = workloadIn(file);
    const pod = spec.template.spec;
    const [service] = pod.containers;

    it(`are valid: ${file}`, async function () {
      neededInPython(this, 'kubernetes_validate');
      const args = ['-m', 'kubernetes_validate', '--strict', '--quiet', file];
      expect(await outputOf(whereIs('python3') ?? '', args)).to.deep.equal({ out: '', err: '' });
    });

    it(`name settings, probes and the port of the service: ${file}`, () => {
      for (const { name } of service.env ?? []) expect(variables).to.contain(`'${name}'`);
      const paths = healthApi({ check: async () => {} }).routes.map(({ path }) => path);
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const)
        expect(paths, probe).to.include(service[probe].httpGet.path);
      expect(service.ports.map(({ containerPort }) => containerPort)).to.deep.equal([settings.port]);
    });

    it(`leave the service the time to stop: ${file}`, () => {
      const [, sleep] = service.lifecycle.preStop.exec.command;
      const needed = Number(sleep) + settings.timeouts.shutdown / 1000;
      expect(pod.terminationGracePeriodSeconds).to.be.above(needed);
    });

    it(`run the image of the handbook: ${file}`, () => {
      const [, tag] = /--tag (\S+)/.exec(readFileSync('docs/operate/container.md', 'utf8')) ?? [];
      for (const { image } of [...pod.initContainers, service]) expect(image).to.equal(tag);
    });

    it(`run one replica on SQLite, and several on MongoDB: ${file}`, () => {
      if (kind === 'StatefulSet') expect(spec.replicas).to.equal(1);
      else expect(spec.replicas).to.be.above(1);
    });
  }
});
