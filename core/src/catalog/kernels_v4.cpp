#define TONEARM_KERNELS v4
#define TONEARM_KERNELS_NAME "x86-64-v4"
#include "catalog/kernels_body.h"
