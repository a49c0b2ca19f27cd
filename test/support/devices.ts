/** A third kind of resource, as an installation could have it: what it takes to serve and store devices. */
import { randomUUID } from 'node:crypto';
import Type from 'typebox';
import { defineResource } from '../../src/adapters/apis/resources/definition.ts';
import { type ResourceApiParts, resourceApi } from '../../src/adapters/apis/resources/index.ts';
import { formats } from '../../src/adapters/formats/index.ts';
import type { DescribedApi } from '../../src/adapters/http/pipeline/api.ts';
import { asIs, oneKey } from '../../src/domain/find/filters.ts';
import { defineKind, type Kind } from '../../src/domain/kinds/kind.ts';
import { type Kinds, kindsOf as kindsOfService, makeKinds } from '../../src/domain/kinds.ts';
import { text, words } from '../../src/domain/resource/annotations.ts';
import { idType, Meta } from '../../src/domain/resource/resource.ts';
import type { Store } from '../../src/domain/store.ts';
import { resources } from '../../src/domain/use-cases/resources.ts';

const id = idType('A UUID.');
const writable = {
  serial: text(64, 'The serial number.', { ...words, sort: 'serial', scim: { uniqueness: 'server' } }),
  label: Type.Optional(text(256, 'What people call it.', { ...words, sort: 'label' })),
  site: Type.Optional(text(64, 'Where it stands.')),
  notes: Type.Optional(
    Type.Record(Type.String({ pattern: '^[a-z]{1,32}$' }), text(64), {
      ...{ additionalProperties: false, minProperties: 1, entry: 'note' },
    }),
  ),
};
const Device = Type.Object({ id, ...writable, meta: Meta }, { additionalProperties: false });
type Device = Type.Static<typeof Device>;
const DeviceInput = Type.Object({ id: Type.Optional(id), ...writable }, { additionalProperties: false });

const deviceKind = defineKind<Device, Type.Static<typeof DeviceInput>>({
  name: 'device',
  schema: Device,
  input: DeviceInput,
  readOnly: ['meta'],
  maxBytes: 4096,
  unique: {
    member: 'serial',
    map: (serial) => serial.toLowerCase(),
    version: 1,
    taken: 'serial-taken',
    findFault: () => undefined,
  },
  filters: {
    serial: { keys: ({ serial }) => [serial.toLowerCase()], key: (value) => value.toLowerCase() },
    site: { keys: ({ site }) => oneKey(site), key: asIs, isShared: true },
    label: { keys: ({ label }) => oneKey(label), key: asIs },
  },
});

/** Threads of the stores import it: this module names itself. */
export const kindsOf = (): Kinds =>
  makeKinds([...kindsOfService().all, deviceKind as unknown as Kind], { module: import.meta.url });

const defineDevices = (kinds: Kinds) =>
  defineResource({
    kind: kinds.of('device'),
    texts: {
      example: { serial: 'SN-1', label: 'Front door' },
      patchExample: { label: '' },
      about: { create: 'Creates a device.', replace: 'Replaces it.', patch: 'Changes it in part.' },
      nameRule: 'The case of its letters makes no difference.',
    },
  });

export function devicesApi(store: Store, kinds: Kinds, settings: ResourceApiParts['settings']): DescribedApi {
  const clock = { now: () => new Date() };
  const ids = { id: randomUUID, version: randomUUID };
  return resourceApi({
    definition: defineDevices(kinds),
    resources: resources({ kind: kinds.of('device'), storeFor: () => store, clock, ids }),
    formats,
    settings,
    description: 'Devices.',
    maxBodyBytes: 64 * 1024,
  });
}
