// What the page and its worker say to each other. Number 0 is the opening.

export interface Progress {
  bytes: number;
  rounds: number;
}

export interface Asked {
  id: number;
  open?: { whole: boolean };
  path?: string;
}

export interface Answered {
  id: number;
  status?: number;
  body?: unknown;
  error?: string;
  progress?: Progress;
}
