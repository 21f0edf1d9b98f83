import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Options } from '../../src/options/options.ts';
import { resolveOptions } from '../../src/options/resolve-options.ts';
import { createPicker, type Picker, type PickerAccess } from '../../src/picker/create-picker.ts';
import type { PickerProject } from '../../src/picker/project.ts';
import { createPickerState, type PickerState } from '../../src/picker/state.ts';
import type { CountingCatalog } from '../support/counting-catalog.ts';
import { recordingLog } from '../support/recording-log.ts';
import { writeProject } from '../support/write-project.ts';

export const ORIGIN = 'http://localhost:5173';
const BASE = `${ORIGIN}/__icon-catalog/`;

export interface TestPicker extends Picker {
  root: string;
  state: PickerState;
  log: ReturnType<typeof recordingLog>;
  /** `POST api/<name>` as the page sends it. */
  post<Answer>(name: string, body?: object): Promise<Answer>;
  /** The same with the whole answer, also of an error. */
  send(name: string, body?: object, headers?: Record<string, string>): Promise<Response>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** Puts other options in force, as a dev server does after a change of the configuration. */
  configure(options: Options): void;
}

export interface TestPickerInput {
  catalog?: CountingCatalog;
  options?: Options;
  files?: Record<string, string>;
  root?: string;
  state?: PickerState;
  access?: PickerAccess;
  now?: () => number;
  /** Name of the file with the options. */
  config?: string;
}

/** A picker of a project in a fresh folder, spoken to without sockets. */
export async function openPicker({
  catalog,
  options = {},
  files = {},
  access = { hosts: [], isOpen: false },
  now,
  config,
  ...given
}: TestPickerInput = {}): Promise<TestPicker> {
  const root = given.root ?? (await writeProject(files));
  const state = given.state ?? createPickerState({ ...(now && { now }) });
  const log = recordingLog();
  const toProject = (chosen: Options): PickerProject => {
    const all: Options = {
      cacheDir: join(root, '.cache'),
      retries: 0,
      ...(catalog && {
        catalog: { baseUrl: catalog.url, key: catalog.key, secret: catalog.secret },
      }),
      ...chosen,
    };
    const env = { ICON_CATALOG_SITE_URL: 'https://icons.example', XDG_CONFIG_HOME: root };
    const resolved = resolveOptions(all, { root, env });
    return { resolved, env, config: config && join(root, config) };
  };
  let project = toProject(options);
  const picker = createPicker({
    project: async () => project,
    access,
    state,
    log,
    ...(now && { now }),
  });
  onTestFinished(() => picker.close());

  const send: TestPicker['send'] = (name, body = {}, headers = {}) =>
    picker.fetch(
      new Request(`${BASE}api/${name}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: {
          host: 'localhost:5173',
          origin: ORIGIN,
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/json',
          authorization: `Bearer ${state.token}`,
          ...headers,
        },
      }),
    );
  return {
    ...picker,
    root,
    state,
    log,
    send,
    async post<Answer>(name: string, body?: object) {
      const response = await send(name, body);
      const answer = (await response.json()) as Answer;
      if (response.status !== 200) throw new Error(`${response.status} ${JSON.stringify(answer)}`);
      return answer;
    },
    get: (path, headers = {}) =>
      picker.fetch(
        new Request(new URL(path, BASE), { headers: { host: 'localhost:5173', ...headers } }),
      ),
    configure(chosen) {
      project = toProject(chosen);
    },
  };
}
