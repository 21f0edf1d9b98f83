export interface AgentTool {
  name: string;
  title: string;
  description: string;
  input: { properties: Readonly<Record<string, object>>; required?: readonly string[] };
  /** It changes files of the project. @default false */
  writes?: boolean;
}

/** Arguments of all tools, as their schemas allow them. */
export interface ToolArguments {
  query?: string;
  styles?: ('solid' | 'line')[];
  line_weight?: [from: number, to: number];
  public_domain?: boolean;
  allowed?: boolean;
  limit?: number;
  offset?: number;
  next_page?: string;
  fresh?: boolean;
  pictures?: boolean;
  id?: string;
  alias?: string;
  replaces?: string;
  color?: string;
  size?: number;
  format?: 'text' | 'markdown' | 'json';
  used_only?: boolean;
  undo?: string;
}

const MOST_SHOWN = 24;
export const SHOWN = 12;
export const MOST_LISTED = 200;

const text = (description: string): object => ({ type: 'string', maxLength: 500, description });
const flag = (description: string): object => ({ type: 'boolean', description });
const whole = (maximum: number, description: string): object => ({
  type: 'integer',
  minimum: 1,
  maximum,
  description,
});
const OFFSET = {
  type: 'integer',
  minimum: 0,
  description: 'Icons of the answer to leave out at its start. Costs no further call',
};
const ID = {
  type: 'string',
  minLength: 1,
  maxLength: 400,
  description: 'Id or name of an icon, or an alias of the project: 123, tabler/home, house',
};

export const AGENT_TOOLS: readonly AgentTool[] = [
  {
    name: 'search_icons',
    title: 'Search icons',
    description:
      'Search the icon catalog of this project, with pictures, licences and what the project allows. Costs one metered call a page; the same search within 24 hours costs none.',
    input: {
      properties: {
        query: text('One or two plain words: calendar, arrow left'),
        styles: {
          type: 'array',
          items: { enum: ['solid', 'line'] },
          maxItems: 2,
          description: 'Only these styles',
        },
        line_weight: {
          type: 'array',
          items: { type: 'integer', minimum: 1, maximum: 60 },
          minItems: 2,
          maxItems: 2,
          description: 'Line weight from and to, as [10, 20]',
        },
        public_domain: flag('Only icons that need no credit'),
        allowed: flag("Leave out what the project's licence policy refuses"),
        limit: whole(MOST_SHOWN, `Icons to show. Default ${SHOWN}`),
        offset: OFFSET,
        next_page: text('Token of the next page, from an earlier answer. Costs a call'),
        fresh: flag('Ask the catalog even if the answer is kept. Costs a call'),
        pictures: flag('Default true'),
      },
      required: ['query'],
    },
  },
  {
    name: 'show_icon',
    title: 'Show an icon',
    description:
      'Everything about one icon: a picture, tags, collections, licence and credit, where the project uses it, and how to write it in JavaScript, CSS and HTML. Costs at most one call, if this machine does not know the icon yet.',
    input: {
      properties: {
        id: ID,
        color: {
          type: 'string',
          pattern: '^#?[0-9a-fA-F]{3}([0-9a-fA-F]{3})?$|^currentColor$|^original$',
        },
        size: whole(2000, 'Pixels'),
      },
      required: ['id'],
    },
  },
  {
    name: 'add_icon',
    title: 'Add an icon to the project',
    description:
      'Pin an icon in the lock file and give it a name in the configuration. Answers the line that imports it, which you then write into a source file, and a token that `undo` takes. Costs at most two calls.',
    input: {
      properties: {
        id: ID,
        alias: text('Name to import it by: letters, digits, - and _'),
        replaces: text('A name of this icon that the new one takes the place of'),
      },
      required: ['id'],
    },
    writes: true,
  },
  {
    name: 'list_project_icons',
    title: 'List the icons of the project',
    description:
      'Aliases, pinned and used icons of the project with licences and places of use, the licence policy, and whether icons can be added. Costs no call. Look here before you search.',
    input: {
      properties: { limit: whole(MOST_LISTED, `Default ${MOST_LISTED}`), offset: OFFSET },
    },
  },
  {
    name: 'credits',
    title: 'Credits',
    description:
      'The credits of all pinned icons, grouped by licence, as a build writes them. Costs no call.',
    input: {
      properties: {
        format: { enum: ['text', 'markdown', 'json'], description: 'Default markdown' },
        used_only: flag('Leave out icons that no source refers to'),
      },
    },
  },
  {
    name: 'undo',
    title: 'Undo an addition',
    description:
      'Restore the exact bytes of the files that one `add_icon` has changed. Refused if they have changed since. Costs no call.',
    input: {
      properties: { undo: text('The token that add_icon has answered') },
      required: ['undo'],
    },
    writes: true,
  },
];
