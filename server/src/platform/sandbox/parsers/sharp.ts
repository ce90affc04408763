import sharp from 'sharp';

// Contents come one at a time: a cache only holds memory, and threads are needed elsewhere.
sharp.cache(false);
sharp.concurrency(1);
// libvips reads far more formats than are taken: none of those is to be met by a file that was called something else.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
});

export { sharp };
