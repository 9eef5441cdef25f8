// The fields of API responses that the page reads. Their texts are untrusted third-party data: they are only displayed.

export type Kind = 'music' | 'sfx';

export interface License {
  id: string;
  name: string;
  url: string | null;
  status: 'verified' | 'listed';
}

export interface Terms {
  commercial: boolean;
  credit: 'none' | 'required';
  share_alike: boolean;
}

export type Attribution = 'optional' | 'requested' | 'required';

/** A track. Lists have only the fields of LISTED_FIELDS (query.ts). */
export interface Track {
  id: string;
  title: string;
  artist: string;
  description?: string | null;
  kind: Kind;
  duration_s: number;
  bpm: number | null;
  tags: Record<string, string[]>;
  category?: { id: string; label: string; top_id: string; top_label: string } | null;
  license: License;
  terms: Terms;
  attribution: Attribution;
  credit_line: string;
  source_page: string | null;
  published?: string | null;
  preview_url: string | null;
  original_url: string | null;
  peaks_url: string | null;
  page_url: string;
  variants?: number;
}

export interface FacetValue {
  id: string;
  label: string;
  count: number;
}

export interface Suggestion {
  message: string;
  parameters: Record<string, string>;
  total: number;
}

export interface SearchAnswer {
  tracks: Track[];
  total: number;
  cursor: string | null;
  suggestions?: Suggestion[];
  facets?: Record<string, FacetValue[]>;
  matched?: { words: number; total: number }[];
  words?: number;
}

export interface Modifications {
  chips: string[];
  text: string;
}

export interface LicenseRecord {
  license: License;
  terms: Terms;
  attribution: Attribution;
  credit_line: string;
  title: string;
  artist: string;
  source_page: string | null;
  catalog_version: string;
  recorded: string;
}

export interface Item {
  track_id: string;
  track: Track | null;
  note: string | null;
  modifications: Modifications | null;
  position: number;
  added: string;
  license_record: LicenseRecord;
  license_changed: boolean;
}

export interface CollectionSummary {
  id: string;
  name: string;
  commercial: boolean;
  revision: number;
  read_only: boolean;
  track_count: number;
  created: string;
  updated: string;
  license_changed?: number | null;
  missing?: number | null;
}

export interface Collection extends CollectionSummary {
  items: Item[];
  credits?: { text: string; required: number; requested: number; optional: number };
}

export interface Usage {
  plan: string;
  limits: { limit: 'minute' | 'day' | 'month'; quota: number; remaining: number; reset_at: string }[];
  days: { date: string; calls: number }[];
  keys: number;
  collections: number;
}

export interface Session {
  signed_in: boolean;
  csrf: string;
  account: { name: string; plan: string | null } | null;
  plan_choice: boolean;
  catalog_version: string | null;
  offline: { size: number } | null;
}
