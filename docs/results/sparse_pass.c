/*
 * What a pass over sparse data can cost on a machine, without Java: U = X V and X'U for two vectors, blocks of rows, two threads, beside a plain
 * read of the arrays. 90,000 x 30,000, density 0.01, 27 million nonzeros. The loops are those of WideColumns.java. Beside the pass: with prefetch
 * instructions; over the same few rows again and again, so that the arrays stay in cache; and over all rows, but with columns taken modulo 512, so
 * that the vectors are in the first-level cache.
 *
 *     gcc -O3 -march=native -o sparse_pass sparse_pass.c -lm -lpthread && ./sparse_pass
 */
#include <immintrin.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROWS = 90000, COLS = 30000, BLOCK = 27, THREADS = 2, ROUNDS = 20 };
enum Work { READ, PASS, PREFETCHING_PASS, CACHED_PASS, NARROW_PASS };

static int *row_start, *columns;
static double *values, *v, *sums[THREADS];
static enum Work work;
static volatile double sink;

/* u = x'V for the row x, which is stored at from ... end - 1; ahead > 0 asks for the arrays so many entries further on; mask cuts columns. */
static inline void multiply(int from, int end, int ahead, int mask, double *u) {
    __m128d sum = _mm_setzero_pd(), other = _mm_setzero_pd();
    int p = from;
    for (; p + 15 < end; p += 16) {
        if (ahead) {
            _mm_prefetch((char *)(values + p + ahead), _MM_HINT_T1);
            _mm_prefetch((char *)(values + p + 8 + ahead), _MM_HINT_T1);
            _mm_prefetch((char *)(columns + p + ahead), _MM_HINT_T1);
        }
        for (int q = p; q < p + 16; q += 2) {
            sum = _mm_fmadd_pd(_mm_loaddup_pd(values + q), _mm_loadu_pd(v + 2 * (columns[q] & mask)), sum);
            other = _mm_fmadd_pd(_mm_loaddup_pd(values + q + 1), _mm_loadu_pd(v + 2 * (columns[q + 1] & mask)), other);
        }
    }
    for (; p < end; p++) {
        sum = _mm_fmadd_pd(_mm_loaddup_pd(values + p), _mm_loadu_pd(v + 2 * (columns[p] & mask)), sum);
    }
    _mm_storeu_pd(u, _mm_add_pd(sum, other));
}

/* total += x u'. */
static inline void add(int from, int end, int mask, const double *u, double *total) {
    __m128d pair = _mm_loadu_pd(u);
    for (int p = from; p < end; p++) {
        double *place = total + 2 * (columns[p] & mask);
        _mm_storeu_pd(place, _mm_fmadd_pd(_mm_loaddup_pd(values + p), pair, _mm_loadu_pd(place)));
    }
}

static void *run(void *argument) {
    long thread = (long)argument;
    int first = ROWS * thread / THREADS, end = ROWS * (thread + 1) / THREADS;
    int mask = work == NARROW_PASS ? 511 : -1;
    double u[2 * BLOCK];
    if (work == READ) {
        __m512d sum = _mm512_setzero_pd(), other = sum;
        for (int p = row_start[first]; p + 15 < row_start[end]; p += 16) {
            sum = _mm512_add_pd(sum, _mm512_loadu_pd(values + p));
            other = _mm512_add_pd(other, _mm512_loadu_pd(values + p + 8));
            other = _mm512_add_pd(other, _mm512_castsi512_pd(_mm512_loadu_si512(columns + p)));
        }
        sink = _mm512_reduce_add_pd(_mm512_add_pd(sum, other));
        return 0;
    }
    for (int row = first; row + BLOCK <= end; row += BLOCK) {
        int at = work == CACHED_PASS ? first : row; /* the same block again and again: the arrays stay in cache */
        for (int i = 0; i < BLOCK; i++) {
            multiply(row_start[at + i], row_start[at + i + 1], work == PREFETCHING_PASS ? 256 : 0, mask, u + 2 * i);
        }
        for (int i = 0; i < BLOCK; i++) {
            add(row_start[at + i], row_start[at + i + 1], mask, u + 2 * i, sums[thread]);
        }
    }
    return 0;
}

static double best_milliseconds(enum Work what) {
    double best = INFINITY;
    work = what;
    for (int round = 0; round < ROUNDS; round++) {
        struct timespec start, stop;
        pthread_t threads[THREADS];
        clock_gettime(CLOCK_MONOTONIC, &start);
        for (long t = 0; t < THREADS; t++) {
            pthread_create(&threads[t], 0, run, (void *)t);
        }
        for (int t = 0; t < THREADS; t++) {
            pthread_join(threads[t], 0);
        }
        clock_gettime(CLOCK_MONOTONIC, &stop);
        best = fmin(best, 1e3 * (stop.tv_sec - start.tv_sec) + 1e-6 * (stop.tv_nsec - start.tv_nsec));
    }
    return best;
}

int main(void) {
    size_t room = 28000000;
    double log_gap = log(1 - 0.01);
    row_start = malloc((ROWS + 1) * sizeof(int));
    columns = malloc(room * sizeof(int));
    values = malloc(room * sizeof(double));
    v = malloc(2 * COLS * sizeof(double));
    srand48(4);
    int count = 0;
    for (int i = 0; i < ROWS; i++) {
        row_start[i] = count;
        for (int j = -1; (j += 1 + (int)fmin(COLS, log(1 - drand48()) / log_gap)) < COLS;) {
            columns[count] = j;
            values[count++] = drand48() - 0.5;
        }
    }
    row_start[ROWS] = count;
    for (int j = 0; j < 2 * COLS; j++) {
        v[j] = sin(j);
    }
    for (int t = 0; t < THREADS; t++) {
        sums[t] = calloc(2 * COLS, sizeof(double));
    }
    for (int round = 0; round < 3; round++) {
        double read = best_milliseconds(READ);
        double pass = best_milliseconds(PASS);
        double ahead = best_milliseconds(PREFETCHING_PASS);
        double cached = best_milliseconds(CACHED_PASS);
        double narrow = best_milliseconds(NARROW_PASS);
        printf("%d nonzeros: read %.1f ms, pass %.1f ms (%.1f), with prefetch instructions %.1f ms (%.1f), arrays in cache %.1f ms (%.1f), "
               "vectors in the first-level cache %.1f ms (%.1f)\n",
               count, read, pass, pass / read, ahead, ahead / read, cached, cached / read, narrow, narrow / read);
    }
}
