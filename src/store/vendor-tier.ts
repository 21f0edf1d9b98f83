import type { ByteTier } from './byte-tier.ts';
import type { VendorFile } from './vendor-file.ts';

/**
 * The vendor file among the places where bytes may be. It is read when the first icon is asked for, and what it is given
 * waits for its own `flush`.
 *
 * @param writable false: it is given nothing
 */
export function vendorTier(vendor: VendorFile, { writable }: { writable: boolean }): ByteTier {
  return {
    name: `vendor file ${vendor.name}`,
    committed: true,
    async get(integrity) {
      await vendor.open();
      return vendor.get(integrity);
    },
    async has(integrity) {
      await vendor.open();
      return vendor.has(integrity);
    },
    async put(_integrity, bytes) {
      if (writable) vendor.put(bytes);
    },
  };
}
