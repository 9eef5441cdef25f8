#define TONEARM_KERNELS v3
#define TONEARM_KERNELS_NAME "x86-64-v3"
#include "catalog/kernels_body.h"
