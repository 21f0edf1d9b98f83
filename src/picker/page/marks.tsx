import type { VNode } from 'preact';

/** The few pictures of the page itself. */

const PATHS = {
  search: 'M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14M16 16l4.500 4.500',
  close: 'M6 6l12 12M18 6L6 18',
  back: 'M14 6l-6 6 6 6',
  next: 'M10 6l6 6-6 6',
  sun: 'M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8M12 2.500v2M12 19.500v2M2.500 12h2M19.500 12h2M5.300 5.300l1.400 1.400M17.300 17.300l1.400 1.400M18.700 5.300l-1.400 1.400M6.700 17.300l-1.400 1.400',
  moon: 'M19.500 14.500A8 8 0 0 1 9.500 4.500a8 8 0 1 0 10 10z',
  auto: 'M4 5h16v11H4zM9 20h6M12 16v4',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  large: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  small:
    'M4 4h4v4H4zM10 4h4v4h-4zM16 4h4v4h-4zM4 10h4v4H4zM10 10h4v4h-4zM16 10h4v4h-4zM4 16h4v4H4zM10 16h4v4h-4zM16 16h4v4h-4z',
  bag: 'M5 8h14l-1 12H6zM9 8a3 3 0 0 1 6 0',
  check: 'M5 12.500l4.500 4.500L19 7.500',
} as const;

export function Mark({ name }: { name: keyof typeof PATHS }): VNode {
  return (
    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

export function MarkButton({
  name,
  label,
  ...rest
}: {
  name: keyof typeof PATHS;
  label: string;
  title?: string;
  disabled?: boolean;
  'aria-pressed'?: boolean;
  onClick(): void;
}): VNode {
  return (
    <button type="button" class="quiet" aria-label={label} {...rest}>
      <Mark name={name} />
    </button>
  );
}

/** The sign of the page: four icons on a sheet. */
export function Sign(): VNode {
  return (
    <svg class="sign" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" />
      <path class="a" d="M8 8h7v7H8zM17 17h7v7h-7z" />
      <path
        class="b"
        d="M20.500 8a3.500 3.500 0 1 1 0 7 3.500 3.500 0 0 1 0-7M8 24l3.500-7 3.500 7z"
      />
    </svg>
  );
}
